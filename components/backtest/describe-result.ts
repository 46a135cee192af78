import { describeCount } from "#components/ui/text/describe-count.ts";
import type { BacktestOutcome, BacktestRequest } from "#lib/schema/act/backtest.ts";

export type ResultView = {
  readonly deliveryId: string;
  /** Null: the delivery has been deleted. */
  readonly receivedAt: Date | null;
  readonly eventType: string | null;
  readonly outcome: BacktestOutcome;
  readonly currentOutcome: BacktestOutcome | null;
  readonly eventId: string | null;
  readonly isChanged: boolean;
  /** The same for all results that differ in the same way. */
  readonly changeKey: string;
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly requests: readonly BacktestRequest[];
  readonly moreRequests: number;
  readonly unknownSteps: readonly string[];
  readonly responses: Readonly<Record<string, "stored" | "given">>;
  readonly cutLists: readonly string[];
};

export const outcomes = {
  run: { label: "Would run", tone: "positive" },
  skip: { label: "Would skip", tone: "neutral" },
  fail: { label: "Would fail", tone: "negative" },
} as const;

const doesNow = { run: "runs", skip: "is skipped", fail: "fails" } as const;

/**
 * Describes a result in one line: the reason, or the difference from the other version.
 *
 * @param other the version that it is compared with. Null: the one in force
 */
export function describeResult(result: ResultView, other: number | null = null): string {
  const { outcome, currentOutcome, reason, isChanged } = result;
  const isOther = currentOutcome !== null && currentOutcome !== outcome;
  const when = other === null ? "Today" : `In version ${other}`;
  const now = isOther ? [`${when} it ${doesNow[currentOutcome]}.`] : [];
  if (reason !== null) return [...now, reason.message].join(" ");
  if (isOther) return now.join(" ");
  if (isChanged) return describeChanges(result);
  if (currentOutcome !== null)
    return other === null ? "Same as today." : `Same as in version ${other}.`;
  return describeRequests(result);
}

/** The values that differ, of all requests. None, if its outcome says more. */
export function listChangedValues({ outcome, currentOutcome, requests }: ResultView) {
  if (outcome !== currentOutcome) return [];
  return requests.flatMap(({ step, item, changes }) =>
    changes.map(({ path, before, after }) => ({
      step: item === null ? step : `${step} ${item}`,
      ...{ path, before, after },
    })),
  );
}

function describeChanges({ requests, moreRequests }: ResultView): string {
  const changed = requests.filter(({ change }) => change === "changed");
  const paths = changed.flatMap(({ changes }) => changes.map(({ path }) => path));
  const values = changed.reduce((sum, { moreChanges }) => sum + moreChanges, paths.length);
  const counted = countAny(values, "value changes", "values change");
  const named = counted === null ? null : `${counted} (${listNames(paths)})`;
  const parts = [
    named,
    countAny(countOf(requests, "added"), "request added", "requests added"),
    countAny(countOf(requests, "removed"), "request removed", "requests removed"),
    countAny(moreRequests, "more request", "more requests"),
  ].filter((part) => part !== null);
  return parts.length === 0 ? "Other steps are unknown." : `${parts.join(", ")}.`;
}

/** Requests of a list change the same values, which are named once. */
function listNames(paths: readonly string[]): string {
  const names = [...new Set(paths)];
  const shown = names.slice(0, maxNamed).join(", ");
  return names.length > maxNamed ? `${shown}, …` : shown;
}

const maxNamed = 4;

function describeRequests({ requests, moreRequests }: ResultView): string {
  const [first] = requests;
  if (first === undefined) return "Sends nothing.";
  const more = requests.length + moreRequests - 1;
  const what = first.kind === "publish" ? "publishes an event" : `${first.method} ${first.url}`;
  return more === 0 ? what : `${what} and ${more} more`;
}

function countOf(requests: readonly BacktestRequest[], change: BacktestRequest["change"]): number {
  return requests.filter((request) => request.change === change).length;
}

function countAny(number: number, one: string, many: string): string | null {
  if (number === 0) return null;
  return describeCount(number, one, many);
}
