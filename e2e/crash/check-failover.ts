import { checkInvariants } from "./check-invariants.ts";
import { type Evidence, readLedger, readSinkCalls, readStore } from "./evidence.ts";
import { checkSteps, type StepsEvidence } from "./steps/check-steps.ts";
import type { Orders } from "./steps/deliver-orders.ts";
import type { LedgerReader } from "./steps/read-ledger.ts";
import type { Resolved } from "./steps/resolve-held.ts";
import type { StepReceiver } from "./testing/step-receiver.ts";

export type FailoverVerdict = {
  readonly invariant: string;
  readonly promise: string;
  readonly breaches: readonly string[];
};

type DeliveryFacts = {
  readonly databaseUrl: string;
  readonly ledgerFile: string;
  readonly sinkFile: string;
  /** The beginning of the ids of its events. */
  readonly tag: string;
  readonly report: Pick<Evidence, "statuses" | "slowestResponseMs">;
};

/** The invariants of the crash ledger, for the deliveries of one hook. */
export async function checkDeliveries({
  databaseUrl,
  ledgerFile,
  sinkFile,
  tag,
  report,
}: DeliveryFacts): Promise<{ acknowledged: number; verdicts: readonly FailoverVerdict[] }> {
  const store = await readStore(databaseUrl);
  const deliveries = store.deliveries.filter(({ eventId }) => eventId?.startsWith(tag));
  const own = new Set(deliveries.map(({ id }) => id));
  const runs = store.runs.filter(({ deliveryId }) => own.has(deliveryId));
  const acknowledged = readLedger(ledgerFile);
  const calls = readSinkCalls(sinkFile);
  const { lostRunIds } = store;
  const verdicts = checkInvariants({
    ...{ ...report, acknowledged, deliveries, runs, lostRunIds, calls },
  });
  return { acknowledged: new Set(acknowledged.map(({ eventId }) => eventId)).size, verdicts };
}

type StepFacts = {
  readonly ledger: LedgerReader;
  readonly orders: Orders;
  readonly receiver: StepReceiver;
  readonly resolved: readonly Resolved[];
};

/**
 * No worker dies here, but each loses its session, and its runs with it. What it did meanwhile is
 * unknown to the one that continues.
 */
export async function checkStepLedger({
  ledger,
  orders,
  receiver,
  resolved,
}: StepFacts): Promise<readonly FailoverVerdict[]> {
  const evidence: StepsEvidence = {
    acknowledged: orders.acknowledged,
    killed: [],
    calls: receiver.calls,
    runs: await ledger.readRuns(),
    heldAndDone: resolved.filter(({ as }) => as === "succeeded"),
    quarantined: [],
    unknown: await ledger.readUnknown(),
    eventIds: await ledger.readEventIds(),
  };
  const own = new Set(orders.acknowledged);
  const runs = evidence.runs.filter(({ eventId }) => own.has(eventId));
  const eventIds = evidence.eventIds.filter((id) => id.endsWith("-note"));
  const applicable = new Set(["S2", "S4", "S5", "S6"]);
  return [
    {
      invariant: "S1",
      promise: "no step or item is called again unless the ledger has its outcome as unknown",
      breaches: findUnexplained(evidence),
    },
    ...checkSteps({ ...evidence, runs, eventIds }).filter((v) => applicable.has(v.invariant)),
  ];
}

function findUnexplained({ calls, unknown, heldAndDone }: StepsEvidence): string[] {
  const unknowns = Map.groupBy([...unknown, ...heldAndDone], ({ key }) => key);
  return [...Map.groupBy(calls, ({ idempotencyKey }) => idempotencyKey)].flatMap(([key, own]) => {
    const explained = unknowns.get(key)?.length ?? 0;
    if (own.length - 1 <= explained) return [];
    return [`${key} was called ${own.length} times, and ${explained} outcomes are unknown`];
  });
}
