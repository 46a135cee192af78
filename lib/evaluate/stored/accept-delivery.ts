import { AppError } from "#lib/base/errors.ts";
import { findHookOfDelivery, readRejected } from "#lib/db/deliveries/stored-requests.ts";
import {
  type AcceptingHook,
  findAcceptingHook,
  lockAcceptingHook,
} from "#lib/db/hooks/evaluation-hook.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { acceptRejected, examineRejected } from "./accept-rejected.ts";
import type { EvaluationParts } from "./evaluate-stored.ts";

/**
 * Accepts one rejected delivery and queues its runs. Throws `not_found`, and `conflict` if it
 * doesn't verify, can't be checked, or is no longer rejected.
 *
 * @returns true if its event is new; a duplicate runs nothing
 */
export async function acceptDelivery(
  tx: Transaction,
  accountId: string,
  deliveryId: string,
  parts: EvaluationParts,
): Promise<"accepted" | "duplicate"> {
  const id = requireId("delivery", deliveryId);
  const hookId = await findHookOfDelivery(tx, accountId, id);
  const hook = requireReady(await lockAcceptingHook(tx, accountId, hookId));
  const rows = await readRejected(tx, accountId, [id]);
  if (rows.length === 0)
    throw new AppError("conflict", "This delivery isn't rejected, so there is nothing to accept.");
  const [outcome] = await acceptRejected(tx, hook, rows, parts);
  if (outcome === undefined) throw notFound("delivery");
  if ("detail" in outcome) throw new AppError("conflict", outcome.detail);
  return outcome.kind;
}

export type Acceptance =
  | { readonly kind: "acceptable" }
  | { readonly kind: "notStored" | "rejected"; readonly detail: string };

/** Tells if a rejected delivery could be accepted now, or why not. Null: it isn't rejected. */
export async function examineDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
  parts: EvaluationParts,
): Promise<Acceptance | null> {
  const hookId = await findHookOfDelivery(db, accountId, requireId("delivery", deliveryId));
  const [hook, rows] = await Promise.all([
    findAcceptingHook(db, accountId, hookId),
    readRejected(db, accountId, [deliveryId]),
  ]);
  if (hook === null || rows.length === 0) return null;
  if (!hook.isReady) return { kind: "rejected", detail: notReady };
  const [result] = await examineRejected(db, hook, rows, parts);
  if (result === undefined) return null;
  return "detail" in result ? result : { kind: "acceptable" };
}

const notReady =
  "The hook is disabled or awaiting its signing secret. Enable it or add the secret, then accept the delivery.";

function requireReady(hook: AcceptingHook | null): AcceptingHook {
  if (hook === null) throw notFound("delivery");
  if (!hook.isReady) throw new AppError("conflict", notReady);
  return hook;
}
