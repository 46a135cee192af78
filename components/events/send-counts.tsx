import { Badge, type Tone } from "#components/ui/status/badge.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { isEnded, type RunStatus } from "#lib/schema/act/run-states.ts";

type Counts = readonly (readonly [status: RunStatus, count: number])[];

/** The states of an event's sends: "3 succeeded", "1 failed", "2 waiting". */
export function SendCounts({ sends, isQuiet = false }: { sends: Counts; isQuiet?: boolean }) {
  const Status = isQuiet ? QuietStatus : Badge;
  const groups = groupSends(sends);
  if (groups.length === 0)
    return <span className="text-muted-foreground">No subscription matched</span>;
  return (
    <span className="inline-flex flex-wrap gap-x-1.5 gap-y-1">
      {groups.map(({ words, tone, count }) => (
        <Status key={words} tone={tone}>{`${count.toLocaleString("en")} ${words}`}</Status>
      ))}
    </span>
  );
}

type Group = { readonly words: string; readonly tone: Tone; readonly count: number };

/** Failed sends come first. Everything that hasn't ended is waiting. */
export function groupSends(sends: Counts): readonly Group[] {
  const sum = (test: (status: RunStatus) => boolean) =>
    sends.reduce((total, [status, count]) => total + (test(status) ? count : 0), 0);
  const groups: readonly Group[] = [
    { words: "failed", tone: "negative", count: sum((status) => status === "failed") },
    { words: "retrying", tone: "caution", count: sum((status) => status === "retrying") },
    { words: "waiting", tone: "neutral", count: sum(isWaiting) },
    { words: "succeeded", tone: "positive", count: sum((status) => status === "succeeded") },
    { words: "not sent", tone: "neutral", count: sum(isOver) },
  ];
  return groups.filter(({ count }) => count > 0);
}

function isWaiting(status: RunStatus): boolean {
  return !isEnded(status) && status !== "retrying";
}

function isOver(status: RunStatus): boolean {
  return isEnded(status) && status !== "failed" && status !== "succeeded";
}
