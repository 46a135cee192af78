import { mapFew } from "#lib/base/map-few.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { requireId } from "#lib/db/postgres/not-found.ts";
import { listDeliveries } from "./list-deliveries.ts";

/**
 * Lists the event types that a hook has seen, in alphabetical order. Walks the index of hook and
 * type from one type to the next: a few blocks per type, regardless of the number of deliveries.
 */
export async function listEventTypes(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ event_type: string }[]>`
    with recursive types as (
      (
        select event_type, 1 as number from deliveries
        where hook_id = (
          select id from hooks
          where id = ${requireId("hook", hookId)}::uuid and account_id = ${accountId}::uuid and deleted_at is null
        ) and event_type is not null
        order by hook_id, event_type limit 1
      )
      union all
      select following.event_type, types.number + 1 from types
      cross join lateral (
        select event_type from deliveries
        where hook_id = ${hookId}::uuid and event_type > types.event_type
        order by hook_id, event_type limit 1
      ) following
      where types.number < ${maxTypes}::int
    )
    select event_type from types`;
  return rows.map(({ event_type }) => event_type);
}

/**
 * The maximum number of types. A hook that catches everything may have thousands, too many for a
 * picker.
 */
const maxTypes = 100;

/**
 * Lists event types of an account: those of its newest deliveries, of each hook's last delivery,
 * and all types of the hooks that were called last. Walking the index for hundreds of hooks would
 * take too long.
 */
export async function listAccountEventTypes(
  db: Database,
  accountId: string,
): Promise<readonly string[]> {
  const [newest, lasts] = await Promise.all([
    listDeliveries(db, accountId, {}, { limit: maxNewest }),
    readLastTypes(db, accountId),
  ]);
  const seen = [...newest.items, ...lasts];
  const hookIds = [...new Set(seen.map(({ hookId }) => hookId))].slice(0, maxWalkedHooks);
  const walked = await mapFew(hookIds, (id) => listEventTypes(db, accountId, id));
  return [
    ...new Set([...seen.flatMap(({ eventType }) => eventType ?? []), ...walked.flat()]),
  ].sort();
}

const maxNewest = 200;
const maxHooks = 1_000;
const maxWalkedHooks = 20;

/**
 * Reads the type of each hook's last delivery that the roll-up has counted. Each is one lookup, in
 * one partition.
 */
async function readLastTypes(
  db: Database,
  accountId: string,
): Promise<readonly { readonly hookId: string; readonly eventType: string | null }[]> {
  return await db.$queryRaw`
    select kept.hook_id as "hookId", delivery.event_type as "eventType" from (
      select last.hook_id, last.delivery_id, last.received_at from last_deliveries last
      join hooks on hooks.id = last.hook_id and hooks.deleted_at is null
      where hooks.account_id = ${accountId}::uuid
      order by last.received_at desc limit ${maxHooks}::int
    ) kept
    cross join lateral (
      select event_type from deliveries where id = kept.delivery_id limit 1
    ) delivery
    order by kept.received_at desc`;
}
