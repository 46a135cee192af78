import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import {
  type DifferingDuplicate,
  type EventKey,
  findWithRuns,
  listDifferingDuplicates,
  rememberKeys,
} from "#lib/db/deliveries/differing-duplicates.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import {
  readOfStatus,
  replaceDeliveries,
  type StoredRequest,
} from "#lib/db/deliveries/stored-requests.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import {
  type EvaluationParts,
  evaluateVerified,
  prepareEvaluator,
  type StoredEvaluator,
} from "./evaluate-stored.ts";

export type AcceptedDuplicates = {
  /** Duplicates that are events by the hook's rule now. Their actions run. */
  readonly accepted: number;
  /** Duplicates that differ and stay: an action has run on them, or they repeat another one. */
  readonly kept: number;
};

/** The number of duplicates that are compared, newest first. */
const maxComparedDuplicates = 5_000;
const batchBytes = 8 * 1024 * 1024;
const batchRows = 100;

/**
 * Evaluates the stored duplicates that differ from their first delivery by the hook's current rule,
 * oldest first. They were verified when they arrived. Those that are new events become accepted, by
 * the statement of the catch path, which queues their runs. The first deliveries are remembered by
 * the new rule too, so that a duplicate that equals one stays one. Each batch is one transaction
 * that takes only duplicates, so two calls at once never create a run twice.
 */
export async function acceptDuplicates(
  db: Database,
  hook: { readonly id: string; readonly accountId: string },
  parts: EvaluationParts,
): Promise<AcceptedDuplicates> {
  const differing = await listDifferingDuplicates(db, hook, maxComparedDuplicates);
  let accepted = 0;
  for (const batch of toBatches(differing)) accepted += await acceptBatch(db, hook, batch, parts);
  if (accepted > 0) notifyRunsDue(db);
  return { accepted, kept: differing.length - accepted };
}

function toBatches(all: readonly DifferingDuplicate[]): readonly (readonly DifferingDuplicate[])[] {
  const batches: DifferingDuplicate[][] = [];
  let bytes = 0;
  for (const one of all) {
    const last = batches.at(-1);
    bytes += one.bytes;
    if (last !== undefined && last.length < batchRows && bytes <= batchBytes) last.push(one);
    else {
      batches.push([one]);
      bytes = one.bytes;
    }
  }
  return batches;
}

function acceptBatch(
  db: Database,
  { id: hookId, accountId }: { readonly id: string; readonly accountId: string },
  batch: readonly DifferingDuplicate[],
  parts: EvaluationParts,
): Promise<number> {
  return db.$transaction(
    async (tx) => {
      const hook = await lockHook(tx, accountId, hookId);
      const evaluator = await prepareEvaluator(tx, hook, parts);
      const read = async (ids: readonly string[], status: "accepted" | "duplicate") =>
        await evaluateAll(evaluator, await readOfStatus(tx, { accountId, ids, status }));
      const firsts = await read([...new Set(batch.map(({ firstId }) => firstId))], "accepted");
      await rememberKeys(tx, firsts.flatMap(toKey));
      const ran = await findWithRuns(
        tx,
        accountId,
        batch.map(({ id }) => id),
      );
      const ids = batch.map(({ id }) => id).filter((id) => !ran.has(id));
      const stored = await replaceDeliveries(tx, await read(ids, "duplicate"));
      return stored.filter(
        ({ duplicateOf, events = [] }) =>
          duplicateOf === null &&
          (events.length === 0 || events.some((event) => event.duplicateOf === null)),
      ).length;
    },
    { timeout: 60_000 },
  );
}

/** Leaves out what is no event any more. */
async function evaluateAll(
  evaluator: StoredEvaluator,
  rows: readonly StoredRequest[],
): Promise<readonly NewDelivery[]> {
  const evaluated = await Promise.all(
    rows.map((row) =>
      evaluateVerified(evaluator, row).catch((error: unknown) => {
        log.error("duplicate.not_evaluated", { deliveryId: row.id, error: toError(error) });
        return null;
      }),
    ),
  );
  return evaluated.flatMap((delivery) => delivery ?? []);
}

function toKey({ hookId, id, keyHash, receivedAtMs, withinSeconds }: NewDelivery): EventKey[] {
  return keyHash === null ? [] : [{ hookId, deliveryId: id, keyHash, receivedAtMs, withinSeconds }];
}
