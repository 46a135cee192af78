import { type NewDelivery, storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import {
  lockMissing,
  type MissingEvent,
  readGapSource,
  recordTaken,
  removeRuns,
  type TakenEvent,
} from "#lib/db/gaps/take-in.ts";
import { lockAcceptingHook } from "#lib/db/hooks/evaluation-hook.ts";
import { listQueuedRuns } from "#lib/db/runs/queued-runs.ts";
import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";
import type { TakeInFilter } from "#lib/schema/receive/gap.ts";
import type { Batch, RowWork } from "../lock-row.ts";
import { createFetchedEvaluation } from "./evaluate-fetched.ts";

const batchRows = 100;

/**
 * Takes the next events in, by the statement of the catch path: its unique key decides about a
 * webhook that arrives at the same moment, and about one that arrives later. Deliveries, runs, and
 * what became of the events are one transaction.
 */
export async function takeInBatch(
  { tx, accountId, filter, seenBefore, maxRuns }: RowWork<TakeInFilter>,
  parts: EvaluationParts,
): Promise<Batch> {
  const hook = await lockAcceptingHook(tx, accountId, filter.hookId);
  const source = await readGapSource(tx, accountId, filter.gapId);
  const nothing = { seenBefore, isAtEnd: true, changed: 0, runs: [] };
  if (hook === null || source === null) return nothing;
  if (!hook.isReady) throw new Error("The hook is disabled or awaits its secret.");
  const limit = Math.min(batchRows, maxRuns);
  const missing = await lockMissing(tx, accountId, filter, limit);
  const host = source.origin === null ? "" : new URL(source.origin).host;
  const evaluate = await createFetchedEvaluation(tx, hook, parts);
  const evaluated = await Promise.all(
    missing.map(async (event) => ({
      event,
      delivery: event.isHere ? null : await evaluate({ body: event.body, host }),
    })),
  );
  const deliveries = evaluated.flatMap(({ delivery }) => (delivery === null ? [] : [delivery]));
  const stored = await storeDeliveries(tx, filter.run ? deliveries : deliveries.map(unpublished));
  const repeated = new Set(stored.filter((one) => one.duplicateOf !== null).map(({ id }) => id));
  const taken = evaluated.map((one) => toTaken(one, repeated));
  await recordTaken(tx, filter.gapId, taken);
  const count = (state: TakenEvent["state"]) => taken.filter((one) => one.state === state).length;
  const ids = stored.filter((one) => one.duplicateOf === null).map(({ id }) => id);
  const runIds = await listQueuedRuns(tx, ids);
  if (!filter.run) await removeRuns(tx, runIds);
  return {
    seenBefore,
    isAtEnd: missing.length < limit,
    changed: count("taken"),
    runs: filter.run ? runIds.map((id) => ({ id, sentBy: null })) : [],
    duplicates: count("repeated"),
    rejected: count("refused"),
  };
}

/** Without actions, no event is published either. */
function unpublished({ published: _event, ...delivery }: NewDelivery): NewDelivery {
  return delivery;
}

type Evaluated = { readonly event: MissingEvent; readonly delivery: NewDelivery | null };

function toTaken({ event, delivery }: Evaluated, repeated: ReadonlySet<string>): TakenEvent {
  const { key, isHere } = event;
  if (isHere) return { key, state: "repeated", deliveryId: null };
  if (delivery === null) return { key, state: "refused", deliveryId: null };
  const state = repeated.has(delivery.id) ? "repeated" : "taken";
  return { key, state, deliveryId: delivery.id };
}
