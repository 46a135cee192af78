import { describeVerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import { AppError, toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import {
  type EvaluationParts,
  evaluateStored,
  prepareEvaluator,
  type StoredEvaluator,
  type StoredRequest,
  storedRequestColumns,
  verifyStored,
} from "./evaluate-stored.ts";
import { type NewDelivery, type StoredDelivery, storeDeliveries } from "./store-deliveries.ts";

export type PendingVerification = {
  /** The outcome of each pending delivery. Events of a batch count separately. */
  readonly accepted: number;
  readonly duplicate: number;
  readonly rejected: number;
  /**
   * Still pending: all of them if none matched the secret, otherwise those that need a key of the
   * provider that can't be fetched.
   */
  readonly pending: number;
};

/**
 * Verifies what a hook stored while it waited for its secret, as if it had arrived again at its
 * original time: over the stored bytes, with the clock of its arrival, deduplicated by the hook's
 * rule, oldest first. Verified deliveries are queued for the hook's actions. The others are
 * rejected with the reason. Each batch is one transaction and takes only pending deliveries, so two
 * calls at once, or one after a crash, never create a run twice.
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
    let after = "00000000-0000-0000-0000-000000000000";
    for (let batch = 0; batch < maxBatches; batch += 1) {
      const done = await verifyBatch(db, accountId, hookId, after, parts);
      if (done === null) break;
      after = done.lastId;
      for (const status of ["accepted", "duplicate", "rejected"] as const)
        total[status] += done[status];
    }
  }
  if (total.accepted > 0) notifyRunsDue(db);
  return { ...total, pending: await countPending(db, accountId, hookId) };
}

/** The number of pending deliveries of a hook. */
export async function countPending(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from deliveries
    where hook_id = ${hookId}::uuid and account_id = ${accountId}::uuid and status = 'pending'`;
  return row?.count ?? 0;
}

/** More than a hook can store, in batches that suit one statement. */
const maxBatches = 200;
const batchRows = 100;
const batchBytes = 8 * 1024 * 1024;

function requireReady(hook: HookRecord): void {
  if (hook.pending === null) return;
  throw new AppError(
    "conflict",
    "This hook is still awaiting its signing secret. Add the secret, then verify pending deliveries.",
  );
}

/**
 * The next ones by id, at least one whatever its size. The lock on the hook keeps a second call
 * from taking them too.
 */
function readPending(
  db: SqlStatements,
  hookId: string,
  after: string,
): Promise<readonly StoredRequest[]> {
  return db.$queryRaw<StoredRequest[]>`
    with next as (
      select id, sum(body_size) over (order by id) as bytes, row_number() over (order by id) as position from (
        select id, body_size from deliveries
        where hook_id = ${hookId}::uuid and status = 'pending' and id > ${after}::uuid
        order by id limit ${batchRows}::int
      ) of_hook
    )
    select ${storedRequestColumns}
    from next cross join lateral (select * from deliveries where id = next.id and status = 'pending' limit 1) d
    where next.position = 1 or next.bytes <= ${batchBytes}::int
    order by d.id`;
}

async function hasAnyMatch(
  db: Database,
  hook: HookRecord,
  parts: EvaluationParts,
): Promise<boolean> {
  const { verifier } = await prepareEvaluator(db, hook, parts.sealer);
  if (verifier === null) return true;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const rows = await readPending(db, hook.id, after);
    const last = rows.at(-1);
    if (last === undefined) return false;
    after = last.id;
    for (const row of rows) {
      const verdict = await nullOnError(row, () => verifyStored(hook, verifier, row, parts));
      if (verdict?.outcome === "verified") return true;
    }
  }
}

type Done = Omit<PendingVerification, "pending"> & { readonly lastId: string };

/** Null: none is left. */
function verifyBatch(
  db: Database,
  accountId: string,
  hookId: string,
  after: string,
  parts: EvaluationParts,
): Promise<Done | null> {
  return db.$transaction(
    async (tx) => {
      const hook = await lockHook(tx, accountId, hookId);
      requireReady(hook);
      const rows = await readPending(tx, hookId, after);
      const last = rows.at(-1);
      if (last === undefined) return null;
      const prepared = await prepareEvaluator(tx, hook, parts.sealer);
      const evaluated = await Promise.all(
        rows.map((row) => nullOnError(row, () => evaluate(hook, prepared, row, parts))),
      );
      const settled = evaluated.flatMap((delivery) => delivery ?? []);
      // Their rows are replaced by the evaluated deliveries: the statement of the catch path adds
      // their keys and runs.
      await tx.$executeRaw`delete from deliveries where id = any (${settled.map(({ id }) => id)}::uuid[])`;
      const stored = settled.length === 0 ? [] : await storeDeliveries(tx, settled);
      await recountHours(
        tx,
        settled.map(({ id }) => id),
      );
      return { ...count(settled, stored), lastId: last.id };
    },
    { timeout: 60_000 },
  );
}

/** Null: an unexpected error. This one stays pending, and the others go on. */
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

/** Null: can't be decided yet. */
async function evaluate(
  hook: HookRecord,
  evaluator: StoredEvaluator,
  row: StoredRequest,
  parts: EvaluationParts,
): Promise<NewDelivery | null> {
  const evaluated = await evaluateStored(hook, evaluator, row, parts);
  switch (evaluated.kind) {
    case "keyMissing":
      return null;
    case "failed":
      return {
        ...evaluated.whole,
        status: "rejected",
        reason: evaluated.verdict.reason,
        detail: describeVerifyFailure(evaluated.verdict.reason, evaluated.verdict),
      };
    case "passed":
      return evaluated.delivery;
    default:
      return evaluated satisfies never;
  }
}
