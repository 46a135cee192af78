import { AppError, toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { firstId } from "#lib/core/api/page.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import {
  countPending,
  readPending,
  replaceDeliveries,
  type StoredRequest,
} from "#lib/db/deliveries/stored-requests.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import {
  type EvaluationParts,
  evaluateStored,
  prepareEvaluator,
  type StoredEvaluator,
  verifyStored,
} from "./evaluate-stored.ts";

export type PendingVerification = {
  /** The outcome of each pending delivery. Events of a batch count separately. */
  readonly accepted: number;
  readonly duplicate: number;
  readonly rejected: number;
  /**
   * Deliveries that are still pending: all of them if none matched the secret, otherwise those that
   * need a key of the provider that can't be fetched.
   */
  readonly pending: number;
};

/**
 * Verifies the requests that a hook stored while it waited for its secret, as if they had arrived
 * again at their original time: over the stored bytes, with the clock of their arrival,
 * deduplicated by the hook's rule, oldest first. Verified deliveries are queued for the hook's
 * actions. The others are rejected with the reason. Each batch is one transaction and takes only
 * pending deliveries, so two calls at once, or one after a crash, never create a run twice.
 *
 * If none matches, the secret is more likely wrong than all of them forged, so nothing changes.
 *
 * Throws `not_found`, and `conflict` while the hook still waits.
 */
export async function verifyPending(
  db: Database,
  accountId: string,
  hookId: string,
  parts: EvaluationParts,
): Promise<PendingVerification> {
  const hook = await getHook(db, accountId, hookId);
  requireReady(hook);
  const total = { accepted: 0, duplicate: 0, rejected: 0 };
  if (await hasAnyMatch(db, hook, parts)) {
    let after = firstId;
    for (let batch = 0; batch < maxBatches; batch += 1) {
      const done = await verifyBatch(db, hook, after, parts);
      if (done === null) break;
      after = done.lastId;
      for (const status of ["accepted", "duplicate", "rejected"] as const)
        total[status] += done[status];
    }
  }
  if (total.accepted > 0) notifyRunsDue(db);
  return { ...total, pending: await countPending(db, accountId, hookId) };
}

/** More batches than a hook can store. Each suits one statement. */
const maxBatches = 200;
const batch = { rows: 100, bytes: 8 * 1024 * 1024 };

function requireReady(hook: HookRecord): void {
  if (hook.pending === null) return;
  throw new AppError(
    "conflict",
    "This hook is still awaiting its signing secret. Add the secret, then verify pending deliveries.",
  );
}

async function hasAnyMatch(
  db: Database,
  hook: HookRecord,
  parts: EvaluationParts,
): Promise<boolean> {
  const evaluator = await prepareEvaluator(db, hook, parts);
  if (evaluator.rules.verifier === null) return true;
  let after = firstId;
  for (;;) {
    const rows = await readPending(db, hook, { after, ...batch });
    const last = rows.at(-1);
    if (last === undefined) return false;
    after = last.id;
    for (const row of rows) {
      const verdict = await nullOnError(row, () => verifyStored(evaluator, row, parts));
      if (verdict?.outcome === "verified") return true;
    }
  }
}

type Done = Omit<PendingVerification, "pending"> & { readonly lastId: string };

/** Verifies the next batch. Null: none is left. */
function verifyBatch(
  db: Database,
  { id: hookId, accountId }: HookRecord,
  after: string,
  parts: EvaluationParts,
): Promise<Done | null> {
  return db.$transaction(
    async (tx) => {
      const hook = await lockHook(tx, accountId, hookId);
      requireReady(hook);
      const rows = await readPending(tx, hook, { after, ...batch });
      const last = rows.at(-1);
      if (last === undefined) return null;
      const evaluator = await prepareEvaluator(tx, hook, parts);
      const evaluated = await Promise.all(
        rows.map((row) => nullOnError(row, () => evaluate(evaluator, row, parts))),
      );
      const deliveries = evaluated.flatMap((delivery) => delivery ?? []);
      return { ...count(deliveries, await replaceDeliveries(tx, deliveries)), lastId: last.id };
    },
    { timeout: 60_000 },
  );
}

/** Returns null after an unexpected error. This delivery stays pending, and the others continue. */
async function nullOnError<T>(row: StoredRequest, look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    log.error("pending.not_verified", { deliveryId: row.id, error: toError(error) });
    return null;
  }
}

function count(
  evaluated: readonly NewDelivery[],
  stored: readonly StoredDelivery[],
): Omit<PendingVerification, "pending"> {
  const rejected = evaluated.filter(({ status }) => status === "rejected").length;
  const events = stored.flatMap(({ events: parts, ...one }) => parts ?? [one]);
  const duplicate = events.filter(({ duplicateOf }) => duplicateOf !== null).length;
  return { rejected, duplicate, accepted: events.length - duplicate - rejected };
}

/** Evaluates one delivery. Null: it can't be decided yet. */
async function evaluate(
  evaluator: StoredEvaluator,
  row: StoredRequest,
  parts: EvaluationParts,
): Promise<NewDelivery | null> {
  const evaluation = await evaluateStored(evaluator, row, parts);
  return evaluation.kind === "keyMissing" || evaluation.kind === "handshake"
    ? null
    : evaluation.delivery;
}
