import type { ProblemKind } from "#lib/schema/watch/problem.ts";
import { describeFailed } from "./describe-failed.ts";

type Counted = {
  readonly kind: ProblemKind;
  /** How often it happened. */
  readonly count: number;
  /** The runs that fail. Null: it isn't about runs, or another problem of the same action says it. */
  readonly runs: { readonly failed: number; readonly retrying: number } | null;
};

/** How much a problem is about, in a few words. Empty: it is there, or it isn't. */
export function describeCount({ kind, count, runs }: Counted): string {
  if (kind === "action_failing" || kind === "subscription_failing")
    return runs === null ? "" : describeRuns(runs);
  const noun = nouns[kind];
  if (noun === undefined) return "";
  return `${count.toLocaleString("en")} ${count === 1 ? noun : `${noun}s`}`;
}

function describeRuns({ failed, retrying }: NonNullable<Counted["runs"]>): string {
  const parts = [
    ...(failed > 0 ? [describeFailed(failed)] : []),
    ...(retrying > 0 ? [`${retrying.toLocaleString("en")} retrying`] : []),
  ];
  return parts.join(", ");
}

const nouns: Partial<Record<ProblemKind, string>> = {
  rejected: "request",
  shape: "time",
  audit_failing: "time",
};
