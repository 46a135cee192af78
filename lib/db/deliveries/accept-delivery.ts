import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { AppError } from "#lib/errors.ts";
import { acceptRejected, examineRejected } from "./accept-rejected.ts";
import { type AcceptingHook, findAcceptingHook, lockAcceptingHook } from "./accepting-hook.ts";
import {
  type EvaluationParts,
  type StoredRequest,
  storedRequestColumns,
} from "./evaluate-stored.ts";

/**
 * Accepts one rejected delivery and queues its runs. Throws `not_found`, and `conflict` if it
 * doesn't verify, can't be checked, or is no longer rejected.
 *
 * @returns whether its event is new; a duplicate runs nothing
 */
export async function acceptDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
  parts: EvaluationParts,
): Promise<"accepted" | "duplicate"> {
  const id = requireId("delivery", deliveryId);
  const hookId = await findHookId(db, accountId, id);
  const outcome = await db.$transaction(
    async (tx) => {
      const hook = requireReady(await lockAcceptingHook(tx, accountId, hookId));
      const row = await readRejected(tx, id);
      if (row === null)
        throw new AppError(
          "conflict",
          "This delivery isn't rejected, so there is nothing to accept.",
        );
      const [result] = await acceptRejected(tx, hook, [row], parts);
      return result;
    },
    { timeout: 30_000 },
  );
  if (outcome === undefined) throw notFound("delivery");
  if ("detail" in outcome) throw new AppError("conflict", outcome.detail);
  if (outcome.kind === "accepted") notifyRunsDue(db);
  return outcome.kind;
}

export type Acceptance =
  | { readonly kind: "acceptable" }
  | { readonly kind: "notStored" | "rejected"; readonly detail: string };

/** Whether a rejected delivery could be accepted now, and if not, why. Null: it isn't rejected. */
export async function examineDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
  parts: EvaluationParts,
): Promise<Acceptance | null> {
  const hookId = await findHookId(db, accountId, requireId("delivery", deliveryId));
  const [hook, row] = await Promise.all([
    findAcceptingHook(db, accountId, hookId),
    readRejected(db, deliveryId),
  ]);
  if (hook === null || row === null) return null;
  if (!hook.isReady) return { kind: "rejected", detail: notReady };
  const [result] = await examineRejected(db, hook, [row], parts);
  if (result === undefined) return null;
  return "detail" in result ? result : { kind: "acceptable" };
}

const notReady =
  "The hook is disabled or awaiting its signing secret. Enable it or add the secret, then accept the delivery.";

async function findHookId(
  db: SqlStatements,
  accountId: string,
  deliveryId: string,
): Promise<string> {
  const [found] = await db.$queryRaw<{ hook_id: string }[]>`
    select d.hook_id from deliveries d join hooks h on h.id = d.hook_id and h.deleted_at is null
    where d.id = ${deliveryId}::uuid and d.account_id = ${accountId}::uuid`;
  if (found === undefined) throw notFound("delivery");
  return found.hook_id;
}

async function readRejected(db: SqlStatements, deliveryId: string): Promise<StoredRequest | null> {
  const [row] = await db.$queryRaw<StoredRequest[]>`
    select ${storedRequestColumns} from deliveries d where d.id = ${deliveryId}::uuid and d.status = 'rejected'`;
  return row ?? null;
}

function requireReady(hook: AcceptingHook | null): AcceptingHook {
  if (hook === null) throw notFound("delivery");
  if (!hook.isReady) throw new AppError("conflict", notReady);
  return hook;
}
