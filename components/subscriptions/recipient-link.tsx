import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

/** A recipient's id, which leads to its page. */
export function RecipientLink({ id }: { id: string }) {
  return (
    <Link
      href={recipientPath(id)}
      className="min-w-0 rounded-sm wrap-anywhere underline-offset-4 hover:underline"
    >
      {safeText(id)}
    </Link>
  );
}

export function recipientPath(id: string): string {
  return `/recipients/${encodeURIComponent(id)}`;
}
