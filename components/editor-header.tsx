import Link from "next/link";
import { safeText } from "./ui/safe-text.ts";

/** What is edited, and the way back to its hook. */
export function EditorHeader({ title, hook }: { title: string; hook: { id: string; name: string } }) {
  return (
    <div className="grid grid-cols-1 gap-1.5 2xl:-mx-16">
      <p className="text-sm text-muted-foreground">
        <Link href={`/hooks/${hook.id}`} className="break-words underline-offset-4 hover:underline">
          {safeText(hook.name)}
        </Link>
      </p>
      <h1 className="text-2xl font-semibold tracking-tight break-words">{safeText(title)}</h1>
    </div>
  );
}
