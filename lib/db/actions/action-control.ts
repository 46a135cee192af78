import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { unkeyed } from "#lib/db/queue/control/claim-order.ts";
import { addTurn } from "#lib/db/queue/control/turns.ts";
import type { ActionInput } from "#lib/schema/act/action.ts";

/**
 * The options of an action that decide when its runs start, except for those that are whole
 * numbers.
 */
type ActionControl = Pick<ActionInput, "rateLimit" | "breaker" | "order">;

export const controlNames = Prisma.sql`
  rate_count, rate_seconds, breaker_failures, breaker_window_seconds, breaker_open_seconds,
  order_by, order_skip_seconds`;

/** Values for `insert` or `update`, in the order of the column names. */
export function controlValues({ rateLimit, breaker, order }: ActionControl): Prisma.Sql {
  return Prisma.sql`
    ${rateLimit?.count ?? null}::int, ${rateLimit?.perSeconds ?? null}::int,
    ${breaker?.failures ?? null}::int, ${breaker?.windowSeconds ?? null}::int, ${breaker?.openSeconds ?? null}::int,
    ${order?.by ?? null}, ${order?.skipAfterSeconds ?? null}::int`;
}

/**
 * The maximum number of open runs that get a key when their action becomes ordered. Later ones have
 * no order.
 */
const maxOrdered = 20_000;

/**
 * Makes workers find new keys for waiting runs, after a change to an action's order key. The caller
 * holds the action's lock.
 */
export async function orderOpenRuns(
  tx: Prisma.TransactionClient,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<void> {
  await addTurn(tx, id);
  await tx.$executeRaw`
    update queue set order_key = ${unkeyed} where lease_id is null and id = any (array(
      select id from queue where account_id = ${accountId}::uuid and target_id = ${id}::uuid
      order by account_id, target_id, due_at limit ${maxOrdered}::int
    ))`;
}

/**
 * Holds the runs of an action until it changes or a user releases it. False: it has changed since
 * that version, or is held already.
 */
export async function holdAction(
  db: SqlStatements,
  actionId: string,
  version: number,
  reason: string,
): Promise<boolean> {
  const held = await db.$executeRaw`
    update actions set held_since = now(), held_reason = ${reason}
    where id = ${actionId}::uuid and version = ${version}::int and held_since is null and deleted_at is null`;
  return held > 0;
}
