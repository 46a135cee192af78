import { Badge, type Tone } from "./badge.tsx";

/** A status in a list. The ordinary one is plain text, so that the others stand out. */
export function QuietStatus({ tone, children }: { tone: Tone; children: string }) {
  return tone === "positive" || tone === "neutral" ? (
    <span className="row-plain inline-block first-letter:uppercase">{children}</span>
  ) : (
    <Badge tone={tone}>{children}</Badge>
  );
}
