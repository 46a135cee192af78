import { Card } from "#components/ui/layout/card.tsx";
import { Badge, type Tone } from "#components/ui/status/badge.tsx";
import { formatBody } from "#components/ui/text/format-body.ts";
import { safeBlock, safeText } from "#components/ui/text/safe-text.ts";
import type { ShownChange } from "#lib/schema/act/version.ts";
import { type DiffLine, diffLines } from "./diff-lines.ts";

type VersionDiffProps = {
  readonly changes: readonly ShownChange[];
  /** The reason why there is nothing to show. */
  readonly empty: string;
};

/** The changes of a version since the one before, with a card for each part of the action. */
export function VersionDiff({ changes, empty }: VersionDiffProps) {
  if (changes.length === 0) return <p className="text-sm text-muted-foreground">{empty}</p>;
  return changes.map((change) => <Change key={`${change.path} ${change.isSecret}`} {...change} />);
}

function Change(change: ShownChange) {
  const { path, name, before, after, isSecret } = change;
  const { words, tone } = verbOf(change);
  return (
    <Card className="min-w-0 overflow-hidden">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2.5">
        <h2 className="text-sm font-semibold break-words">{safeText(name)}</h2>
        <Badge tone={tone}>{words}</Badge>
        <code className="ml-auto text-xs wrap-anywhere text-muted-foreground">
          {safeText(path)}
        </code>
      </div>
      {isSecret ? (
        <p className="px-4 py-3 text-sm text-muted-foreground">
          Another secret was entered. Versions never contain secrets.
        </p>
      ) : (
        <Lines
          label={`Change of ${name}, ${path}`}
          lines={diffLines(toText(before), toText(after))}
        />
      )}
    </Card>
  );
}

function verbOf({ before, after, isSecret }: ShownChange): {
  readonly words: string;
  readonly tone: Tone;
} {
  const isNone = (value: string | null) => value === null || value === "null";
  if (isSecret || isNone(before) === isNone(after)) return { words: "Changed", tone: "caution" };
  return isNone(before)
    ? { words: "Added", tone: "positive" }
    : { words: "Removed", tone: "negative" };
}

/** Shows a text as it is, and everything else as JSON with one value per line. */
function toText(json: string | null): string {
  if (json === null || json === "null") return "";
  const value: unknown = json.startsWith('"') ? JSON.parse(json) : null;
  return typeof value === "string" ? value : (formatBody(json) ?? json);
}

const looks: Readonly<Record<DiffLine["kind"], { sign: string; word: string; className: string }>> =
  {
    same: { sign: " ", word: "", className: "text-muted-foreground" },
    gap: { sign: "⋯", word: "", className: "text-muted-foreground" },
    added: { sign: "+", word: "Added: ", className: "bg-positive-ground text-positive" },
    removed: { sign: "−", word: "Removed: ", className: "bg-negative-ground text-negative" },
  };

function Lines({ label, lines }: { readonly label: string; readonly lines: readonly DiffLine[] }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
      tabIndex={0}
      className="max-h-[32rem] overflow-auto py-2 font-mono text-xs"
    >
      {lines.map(({ kind, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
        <div key={at} className={`flex px-4 py-0.5 ${looks[kind].className}`}>
          <span aria-hidden="true" className="w-5 shrink-0 select-none">
            {looks[kind].sign}
          </span>
          <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">
            <span className="sr-only">{looks[kind].word}</span>
            {safeBlock(text)}
          </span>
        </div>
      ))}
    </section>
  );
}
