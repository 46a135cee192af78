import type { ReactNode } from "react";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type EditorHeaderProps = {
  readonly title: string;
  readonly hook: { readonly id: string; readonly name: string };
  /** The actions menu. */
  readonly children?: ReactNode;
};

/** The action's title and a link back to its hook. */
export function EditorHeader({ title, hook, children }: EditorHeaderProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 grid-cols-1 gap-1.5">
        <p className="text-sm text-muted-foreground">
          <Link
            href={`/hooks/${hook.id}`}
            className="break-words underline-offset-4 hover:underline"
          >
            {safeText(hook.name)}
          </Link>
        </p>
        <h1 className="text-2xl font-semibold tracking-tight break-words">{safeText(title)}</h1>
      </div>
      {children}
    </div>
  );
}
