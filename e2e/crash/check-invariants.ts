import { createHash } from "node:crypto";
import { expectedSinkBody } from "#e2e/harness/set-up-hook.ts";
import type { Evidence, SinkCall, StoredDelivery } from "./evidence.ts";

export type Verdict = {
  readonly invariant: "I1" | "I2" | "I3" | "I4" | "I5" | "I7" | "I8";
  readonly promise: string;
  /** The breaches of the invariant. Empty: it holds. */
  readonly breaches: readonly string[];
};

/** Checks what must hold after the queue has drained, whatever was killed before. Pure. */
export function checkInvariants(evidence: Evidence): Verdict[] {
  return [
    {
      invariant: "I1",
      promise: "every acknowledged delivery is stored, byte for byte",
      breaches: findLost(evidence),
    },
    {
      invariant: "I2",
      promise: "every accepted delivery has one run, and it succeeded",
      breaches: findUnfinished(evidence),
    },
    {
      invariant: "I3",
      promise:
        "the receiver got each recorded call, and no calls beyond those recorded or marked as unknown",
      breaches: findUnrecorded(evidence),
    },
    {
      invariant: "I4",
      promise: "an event is accepted once, however often it was sent",
      breaches: findAcceptedTwice(evidence),
    },
    {
      invariant: "I5",
      promise: "what can't be stored gets 503 or no response, within 5 s",
      breaches: findWrongResponses(evidence),
    },
    {
      invariant: "I7",
      promise: "every run is in one table only, with its attempts numbered from 1 without gaps",
      breaches: findMisplaced(evidence),
    },
  ];
}

/**
 * Checks that runs which waited in a killed worker's memory count no attempt: an attempt of which the receiver knows
 * nothing is one of a call that was about to be made.
 *
 * @param most the calls that could have been about to be made, over all kills
 */
export function checkUnheard(evidence: Pick<Evidence, "runs" | "calls">, most: number): Verdict {
  const heard = Map.groupBy(evidence.calls, ({ idempotencyKey }) => idempotencyKey);
  const unheard = evidence.runs.flatMap(({ id, answered, unknown }) => {
    const missing = answered + unknown - (heard.get(id)?.length ?? 0);
    return missing > 0 ? [`${missing} attempts of the run ${id} never reached the receiver`] : [];
  });
  return {
    invariant: "I8",
    promise: `no attempt is counted for a run that never started (${unheard.length} of ${most} at most)`,
    breaches: unheard.slice(most),
  };
}

function findLost({ acknowledged, deliveries }: Evidence): string[] {
  const accepted = indexAccepted(deliveries);
  return acknowledged.flatMap(({ eventId, bodyHash }) => {
    const stored = accepted.get(eventId);
    if (stored === undefined) return [`${eventId} was acknowledged but is missing`];
    return stored.bodyHash === bodyHash ? [] : [`${eventId} is stored with other bytes`];
  });
}

function findUnfinished({ deliveries, runs }: Evidence): string[] {
  const byDelivery = Map.groupBy(runs, ({ deliveryId }) => deliveryId);
  return deliveries.flatMap(({ id, eventId, status }) => {
    const own = byDelivery.get(id) ?? [];
    if (status !== "accepted") return own.length === 0 ? [] : [`${status} ${eventId} has a run`];
    const [run, ...more] = own;
    if (run === undefined || more.length > 0) return [`${eventId} has ${own.length} runs`];
    return run.state === "succeeded"
      ? []
      : [`the run of ${eventId} is ${run.state}: ${run.reason ?? ""}`];
  });
}

function findUnrecorded({ deliveries, runs, calls }: Evidence): string[] {
  const byKey = Map.groupBy(calls, ({ idempotencyKey }) => idempotencyKey);
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const known = new Set(runs.map(({ id }) => id));
  const unexpected = [...byKey.keys()].filter((key) => !known.has(key));
  const wrong = runs.flatMap(({ id, deliveryId, answered, unknown }) => {
    const own = byKey.get(id) ?? [];
    const eventId = byId.get(deliveryId)?.eventId ?? "";
    const recorded = `${answered} successful and ${unknown} unknown attempts of ${eventId}`;
    if (own.length < answered) return [`${own.length} calls for ${recorded}`];
    if (own.length > answered + unknown) return [`${own.length} calls for only ${recorded}`];
    return own.every((call) => isCallOf(call, eventId))
      ? []
      : [`a call for ${eventId} had another body`];
  });
  return [...unexpected.map((key) => `calls with the unknown key ${key}`), ...wrong];
}

function isCallOf(call: SinkCall, eventId: string): boolean {
  const token = createHash("sha256").update(eventId).digest("hex");
  const expected = createHash("sha256").update(expectedSinkBody(eventId, token)).digest("hex");
  return call.eventId === eventId && call.bodyHash === expected;
}

function findAcceptedTwice({ deliveries }: Evidence): string[] {
  const accepted = Map.groupBy(deliveries.filter(isAccepted), ({ eventId }) => eventId);
  return [...accepted].flatMap(([eventId, rows]) =>
    rows.length === 1 ? [] : [`${eventId}: ${rows.length} times`],
  );
}

function findWrongResponses({ statuses, slowestResponseMs }: Evidence): string[] {
  const allowed = new Set(["200", "503", "reset", "refused"]);
  const wrong = Object.entries(statuses).filter(([status]) => !allowed.has(status));
  const slow =
    slowestResponseMs > 5_000 ? [`a response took ${Math.round(slowestResponseMs)} ms`] : [];
  return [...wrong.map(([status, count]) => `${count} responses were ${status}`), ...slow];
}

/** A run in both tables is read twice. */
function findMisplaced({ runs, lostRunIds }: Evidence): string[] {
  const places = Map.groupBy(runs, ({ id }) => id);
  const doubled = [...places].filter(([, rows]) => rows.length > 1);
  const misnumbered = runs.filter(
    ({ numbers, attemptCount }) =>
      numbers.length !== attemptCount || numbers.some((number, at) => number !== at + 1),
  );
  return [
    ...doubled.map(([id]) => `the run ${id} is in both tables`),
    ...lostRunIds.map((id) => `the run ${id} has attempts but is in no table`),
    ...misnumbered.map(
      ({ id, numbers, attemptCount }) =>
        `the run ${id} counts ${attemptCount} attempts and has ${numbers.join(", ") || "none"}`,
    ),
  ];
}

function indexAccepted(deliveries: readonly StoredDelivery[]): Map<string, StoredDelivery> {
  return new Map(deliveries.filter(isAccepted).map((delivery) => [delivery.eventId, delivery]));
}

function isAccepted({ status }: StoredDelivery): boolean {
  return status === "accepted";
}
