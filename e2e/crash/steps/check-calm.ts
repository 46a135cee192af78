import type { StepCall } from "../testing/step-receiver.ts";
import type { HeldStep, StoredRun } from "./read-ledger.ts";

type CalmEvidence = {
  readonly eventIds: readonly string[];
  /** The number of items in each event. */
  readonly items: number;
  readonly calls: readonly StepCall[];
  /** Calls whose outcome a person is asked for. */
  readonly held: readonly HeldStep[];
  readonly runs: readonly StoredRun[];
};

export type CalmVerdict = {
  readonly invariant: "C1" | "C2" | "C3";
  readonly promise: string;
  /** The breaches of the invariant. Empty: it holds. */
  readonly breaches: readonly string[];
};

/** Checks what must hold if no process was killed and no call failed. Pure. */
export function checkCalm({
  eventIds,
  items,
  calls,
  held,
  runs,
}: CalmEvidence): readonly CalmVerdict[] {
  const byKey = Map.groupBy(calls, ({ idempotencyKey }) => idempotencyKey);
  const repeated = [...byKey].flatMap(([key, own]) => own.slice(1).map(() => key));
  const heldRuns = Map.groupBy(held, ({ runId }) => runId);
  const byEvent = Map.groupBy(runs, ({ eventId }) => eventId);
  const expected = 1 + items;
  const doneOf = new Map<string, number>();
  for (const [first] of byKey.values())
    if (first !== undefined) doneOf.set(first.eventId, (doneOf.get(first.eventId) ?? 0) + 1);
  const unfinished = eventIds.flatMap((eventId) => {
    const [run, ...more] = byEvent.get(eventId) ?? [];
    if (run === undefined || more.length > 0) return [`${eventId} doesn't have one run`];
    if (heldRuns.has(run.id)) return [];
    const done = doneOf.get(eventId) ?? 0;
    if (run.state === "succeeded" && done === expected) return [];
    return [`the run of ${eventId} is ${run.state} with ${done} of ${expected} calls made`];
  });
  return [
    {
      invariant: "C1",
      promise: `none of ${byKey.size} calls is made again`,
      breaches: repeated.map((key) => `${key} was called again`),
    },
    {
      invariant: "C2",
      promise: `none of ${runs.length} runs is held`,
      breaches: [...heldRuns.keys()].map((id) => `${id} waits for a person`),
    },
    {
      invariant: "C3",
      promise: "every other run succeeds, with each of its calls made",
      breaches: unfinished,
    },
  ];
}
