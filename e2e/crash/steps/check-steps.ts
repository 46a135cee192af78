import type { StepCall } from "../testing/step-receiver.ts";
import { callSteps, keyOf, pathsOf } from "./five-steps.ts";
import type { HeldStep, LedgerEntry, StoredRun } from "./read-ledger.ts";
import type { Quarantined } from "./resolve-held.ts";

/** A worker from its start until the next one starts, with `kill -9` in between. */
export type KilledWorker = {
  /** The Unix time of the kill. No worker saw a response that came after it. */
  readonly killedAtMs: number;
  /**
   * The start of the next worker. Calls that arrived before it came from this worker or an earlier
   * one.
   */
  readonly nextStartsAtMs: number;
  /** The ledger of the open runs at its death, by idempotency key. */
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
};

export type StepsEvidence = {
  readonly acknowledged: readonly string[];
  readonly killed: readonly KilledWorker[];
  readonly calls: readonly StepCall[];
  readonly runs: readonly StoredRun[];
  /** Held steps that continued because the receiver said that it had done the call. */
  readonly heldAndDone: readonly HeldStep[];
  /** Runs that failed because three workers in a row died with them, and were retried manually. */
  readonly quarantined: readonly Quarantined[];
  /** The attempts with `outcome_unknown` in the history: those of calls that were made again. */
  readonly unknown: readonly LedgerEntry[];
  readonly eventIds: readonly string[];
};

export type StepsVerdict = {
  readonly invariant: "S1" | "S2" | "S3" | "S4" | "S5" | "S6";
  readonly promise: string;
  /** The breaches of the invariant. Empty: it holds. */
  readonly breaches: readonly string[];
};

/** Checks what must hold once every run has ended, whenever workers were killed. Pure. */
export function checkSteps(evidence: StepsEvidence): readonly StepsVerdict[] {
  return [
    {
      invariant: "S1",
      promise: "no step or item is called again once the ledger has its success",
      breaches: findRepeated(evidence),
    },
    {
      invariant: "S2",
      promise: "every run ends, with each of its calls done",
      breaches: [...findUnfinished(evidence), ...findWronglyQuarantined(evidence)],
    },
    {
      invariant: "S3",
      promise: "an outcome is unknown exactly where a kill came during a call",
      breaches: [...findUnannounced(evidence), ...findWrongUnknowns(evidence)],
    },
    {
      invariant: "S4",
      promise: "steps are in order, and see the recorded responses",
      breaches: findDisorder(evidence),
    },
    {
      invariant: "S5",
      promise: "each run published its event once",
      breaches: findWrongEvents(evidence),
    },
    {
      invariant: "S6",
      promise: "every attempt of a step or item has the same Idempotency-Key",
      breaches: findWrongKeys(evidence),
    },
  ];
}

/** The index of the worker that made a call. */
export function workerOf(killed: readonly KilledWorker[], { startedAtMs }: StepCall): number {
  const at = killed.findIndex(({ nextStartsAtMs }) => startedAtMs < nextStartsAtMs);
  return at === -1 ? killed.length : at;
}

/**
 * Finds repeated calls that the ledger doesn't explain: it must say that the last call before a
 * kill may have been made, and nothing more.
 */
function findRepeated({ killed, calls }: StepsEvidence): string[] {
  const started = new Map(
    [...Map.groupBy(calls, ({ eventId, step }) => `${eventId}/${step}`)].map(([step, own]) => [
      step,
      Math.min(...own.map(({ startedAtMs }) => startedAtMs)),
    ]),
  );
  const repeated = [...Map.groupBy(calls, ({ idempotencyKey }) => idempotencyKey)].flatMap(
    ([key, own]) => own.slice(1).map((again, at) => ({ key, before: own[at] as StepCall, again })),
  );
  return repeated.flatMap(({ key, before, again }) => {
    const worker = workerOf(killed, before);
    if (worker === workerOf(killed, again)) return [`${key} was called twice by one worker`];
    const known = killed[worker]?.ledger.get(key)?.state ?? "nothing";
    if (known !== "calling") return [`${key} was called again, and the ledger had ${known}`];
    const next = callSteps[callSteps.indexOf(again.step) + 1];
    const nextBeganAt = started.get(`${again.eventId}/${next}`) ?? Number.POSITIVE_INFINITY;
    return again.startedAtMs > nextBeganAt
      ? [`${key} was called again after ${next} had started`]
      : [];
  });
}

function findUnfinished({ acknowledged, runs, calls }: StepsEvidence): string[] {
  const byEvent = Map.groupBy(runs, ({ eventId }) => eventId);
  const done = new Set(calls.flatMap(({ place, endedAtMs }) => (endedAtMs === null ? [] : place)));
  return acknowledged.flatMap((eventId) => {
    const [run, ...more] = byEvent.get(eventId) ?? [];
    if (run === undefined || more.length > 0)
      return [`${eventId} has ${run === undefined ? 0 : more.length + 1} runs`];
    if (run.state !== "succeeded")
      return [`the run of ${eventId} is ${run.state}: ${run.reason ?? ""}`];
    if (run.attemptCount !== run.ledgerAttempts)
      return [`${run.id} counts ${run.attemptCount} calls and its ledger ${run.ledgerAttempts}`];
    const missing = callSteps.flatMap((step) => pathsOf(eventId, step)).filter((p) => !done.has(p));
    return missing.map((place) => `${place} was never done, and the run succeeded`);
  });
}

/**
 * Finds quarantined runs without three workers that died with them, none of which got them a step
 * further.
 */
function findWronglyQuarantined({ killed, quarantined }: StepsEvidence): string[] {
  return quarantined.flatMap(({ runId, afterKills }) => {
    const ledgers = killed.slice(0, afterKills).map(({ ledger }) => {
      const own = [...ledger.values()].filter(({ key }) => key.startsWith(runId));
      return own
        .map((entry) => `${nameAttempt(entry)} ${entry.state}`)
        .toSorted()
        .join();
    });
    const last = ledgers.findLastIndex((ledger) => ledger !== "");
    const three = new Set(ledgers.slice(Math.max(0, last - 2), last + 1));
    return three.size <= 1 ? [] : [`${runId} was quarantined although it went on`];
  });
}

/**
 * Finds calls without a response when their worker was killed, and without an entry in the ledger.
 */
function findUnannounced({ killed, calls }: StepsEvidence): string[] {
  return calls.flatMap((call) => {
    const worker = killed[workerOf(killed, call)];
    if (worker === undefined) return [];
    const { idempotencyKey: key, endedAtMs } = call;
    if (endedAtMs !== null && endedAtMs <= worker.killedAtMs) return [];
    const known = worker.ledger.get(key)?.state ?? "nothing";
    return known === "calling"
      ? []
      : [`${key} was in flight at a kill, and the ledger had ${known}`];
  });
}

function findWrongUnknowns({ killed, heldAndDone, unknown }: StepsEvidence): string[] {
  const interrupted = new Set(listInterrupted(killed));
  const recorded = [...heldAndDone, ...unknown].map(nameAttempt);
  const known = new Set(recorded);
  const doubled = recorded.length - known.size;
  return [
    ...[...known]
      .filter((attempt) => !interrupted.has(attempt))
      .map((attempt) => `${attempt} is unknown, and no kill came during it`),
    ...[...interrupted]
      .filter((attempt) => !known.has(attempt))
      .map((attempt) => `a kill came during ${attempt}, and it isn't unknown`),
    ...(doubled === 0 ? [] : [`${doubled} attempts are recorded as unknown twice`]),
  ];
}

/** The attempts that the ledger had as started when a worker was killed. */
export function listInterrupted(killed: readonly KilledWorker[]): readonly string[] {
  const calling = killed.flatMap(({ ledger }) =>
    [...ledger.values()].filter(({ state }) => state === "calling"),
  );
  return [...new Set(calling.map(nameAttempt))];
}

function nameAttempt({ key, attempt }: { readonly key: string; readonly attempt: number }): string {
  return `attempt ${attempt} of ${key}`;
}

function findDisorder({ calls }: StepsEvidence): string[] {
  return [...Map.groupBy(calls, ({ eventId }) => eventId)].flatMap(([eventId, own]) => {
    const byStep = Map.groupBy(own, ({ step }) => step);
    const early = callSteps.slice(1).flatMap((step, at) => {
      const first = Math.min(...(byStep.get(step) ?? []).map(({ startedAtMs }) => startedAtMs));
      const before = callSteps[at] ?? "find";
      const done = new Set(
        own.flatMap(({ place, endedAtMs }) =>
          endedAtMs !== null && endedAtMs <= first ? place : [],
        ),
      );
      return pathsOf(eventId, before)
        .filter((place) => first < Number.POSITIVE_INFINITY && !done.has(place))
        .map((place) => `${step} of ${eventId} began before ${place} was answered`);
    });
    const response = byStep.get("find")?.at(-1)?.result;
    const blind = own.filter(({ step, seen }) => step !== "find" && seen !== response);
    return [...early, ...blind.map(({ place }) => `${place} didn't see the recorded response`)];
  });
}

function findWrongEvents({ runs, eventIds }: StepsEvidence): string[] {
  const stored = Map.groupBy(eventIds, (id) => id);
  const expected = new Set(runs.map(({ id }) => `${id}-note`));
  return [
    ...[...expected].flatMap((id) => {
      const count = stored.get(id)?.length ?? 0;
      return count === 1 ? [] : [`${id} was published ${count} times`];
    }),
    ...[...stored.keys()].filter((id) => !expected.has(id)).map((id) => `no one published ${id}`),
  ];
}

function findWrongKeys({ runs, calls }: StepsEvidence): string[] {
  const runOf = new Map(runs.map(({ id, eventId }) => [eventId, id]));
  return calls.flatMap(({ eventId, place, idempotencyKey }) => {
    const expected = keyOf(runOf.get(eventId) ?? "no run", place);
    return idempotencyKey === expected ? [] : [`${place} had ${idempotencyKey}, not ${expected}`];
  });
}
