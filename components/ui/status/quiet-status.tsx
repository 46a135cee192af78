import { capitalize } from "#components/ui/text/capitalize.ts";
import { Badge, type Tone } from "./badge.tsx";

/** A status in a list. The ordinary one is plain text, so that the others stand out. */
export function QuietStatus({ tone, children }: { tone: Tone; children: string }) {
  return tone === "positive" || tone === "neutral" ? (
    <span className="row-plain">{capitalize(children)}</span>
  ) : (
    <Badge tone={tone}>{children}</Badge>
  );
}
