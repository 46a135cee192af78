import { type IdSpan, idFloor } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { startOfWeek, toWeeks } from "#lib/db/postgres/partitions/partition-weeks.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import {
  type DeliveryIds,
  inWeeksOf,
  isOfOthers,
  isOneOfFew,
  selectByHook,
  selectFew,
  selectOfOthers,
} from "./select-delivery-ids.ts";

/** Ids, newest first. `end`: more matches may follow before this id. Null: there are none. */
type FoundIds = {
  readonly ids: readonly { readonly id: string }[];
  readonly end: string | null;
};

/**
 * The maximum number of hooks searched in their own indexes. For more hooks, the account's rows are
 * searched.
 */
const maxBranches = 60;
/** The maximum number of rows that may not match: those of deleted hooks or of another type. */
const maxWalked = 2_000;
const maxWalkedOfType = 300;
/**
 * The number of weeks searched in one request, with one lookup for each hook. With very many hooks,
 * it is one week.
 */
const maxWeeks = 2;
const maxLookUps = 600;

/**
 * Finds the newest ids of a filter. Returns fewer than `limit` with an `end` if matches are rare.
 */
export async function findDeliveryIds(db: Database, wanted: DeliveryIds): Promise<FoundIds> {
  const { hookId, status, eventType } = wanted.filter;
  const run = async (query: Prisma.Sql) => await db.$queryRaw<{ id: string }[]>(query);
  if (isOfOthers(wanted.filter)) return { ids: await run(selectOfOthers(wanted)), end: null };
  if (isOneOfFew(wanted.filter)) return { ids: await run(selectFew(wanted)), end: null };
  const statuses = status === undefined ? deliveryStatuses.length : 1;
  const areFew = wanted.hooks.live.length * statuses <= maxBranches && eventType !== undefined;
  if (hookId !== undefined || areFew) return { ids: await run(selectByHook(wanted)), end: null };
  const found = await walkAccount(db, wanted);
  if (eventType === undefined || found.end === null || found.ids.length >= wanted.limit)
    return found;
  return await searchWeeks(db, wanted, { ...found, end: found.end });
}

/**
 * Searches from the end of the account's index, or of the one for statuses other than `accepted`.
 */
async function walkAccount(
  db: Database,
  { accountId, filter, hooks, span, limit }: DeliveryIds,
): Promise<FoundIds> {
  const { status, eventType, isSample } = filter;
  const isRare = status !== undefined && status !== "accepted";
  const conditions = [
    ...(hooks.deleted.length === 0 ? [] : [Prisma.sql`hook_id <> all (${hooks.deleted}::uuid[])`]),
    ...(status === undefined || isRare ? [] : [Prisma.sql`status = ${status}`]),
    ...(eventType === undefined ? [] : [Prisma.sql`event_type = ${eventType}`]),
    ...(isSample === false ? [Prisma.sql`not is_sample`] : []),
  ];
  const isAll = conditions.length === 0;
  const most = Math.max(limit, eventType === undefined ? maxWalked : maxWalkedOfType);
  const [columns, values, order] = isRare
    ? [
        Prisma.sql`account_id, status`,
        Prisma.sql`of_account.id, of_status.name`,
        Prisma.sql`account_id desc, status desc`,
      ]
    : [Prisma.sql`account_id`, Prisma.sql`of_account.id`, Prisma.sql`account_id desc`];
  const selectWalked = (count: number) => Prisma.sql`
    select newest.* from unnest(${[accountId]}::uuid[]) as of_account(id)
    cross join unnest(${[status ?? ""]}::text[]) as of_status(name)
    cross join lateral (
      select id, hook_id, status, event_type, is_sample from deliveries
      where (${columns}, id) >= (${values}, ${span.first}::uuid) and (${columns}, id) < (${values}, ${span.end}::uuid)
        ${isRare ? Prisma.sql`and status <> 'accepted'` : Prisma.empty} and ${inWeeksOf(span)}
      order by ${order}, id desc limit ${count}::int
    ) newest`;
  // The first walk is nearly always enough.
  for (const count of isAll ? [limit] : [Math.min(4 * limit, most), most]) {
    const ids = await db.$queryRaw<{ id: string }[]>`
      select id from (${selectWalked(count)}) walked
      ${isAll ? Prisma.empty : Prisma.sql`where ${Prisma.join(conditions, " and ")}`}
      order by id desc limit ${limit}::int`;
    if (isAll || ids.length >= limit) return { ids, end: null };
    if (count < most) continue;
    const [last] = await db.$queryRaw<{ id: string }[]>`
      select id from (${selectWalked(count)}) walked order by id desc offset ${count - 1}::int limit 1`;
    return { ids, end: last?.id ?? null };
  }
  return { ids: [], end: null };
}

/** Continues before `end`, week by week, in the hooks that have the type in that week. */
async function searchWeeks(
  db: Database,
  wanted: DeliveryIds,
  found: FoundIds & { readonly end: string },
): Promise<FoundIds> {
  const { accountId, filter, hooks, span, limit } = wanted;
  let { ids, end } = found;
  const most = Math.max(1, Math.min(maxWeeks, Math.floor(maxLookUps / hooks.live.length)));
  for (let weeks = 0; weeks < most; weeks += 1) {
    let first = weekBefore(end);
    if (first < span.first) first = span.first;
    const within: IdSpan = { first, end };
    const live = await db.$queryRaw<{ id: string }[]>`
      select of_hook.id from unnest(${[...hooks.live]}::uuid[]) as of_hook(id)
      cross join lateral (
        select from deliveries
        where (hook_id, event_type) = (of_hook.id, ${filter.eventType ?? null}) and ${inWeeksOf(within)}
        limit 1
      ) one`;
    const more = await db.$queryRaw<{ id: string }[]>(
      selectByHook({
        ...wanted,
        hooks: { ...hooks, live: live.map(({ id }) => id) },
        span: within,
        limit: limit - ids.length,
      }),
    );
    ids = [...ids, ...more];
    end = first;
    if (ids.length >= limit || first === span.first) return { ids, end: null };
  }
  const older = await db.$queryRaw<unknown[]>`
    select 1 from deliveries
    where (account_id, id) < (${accountId}::uuid, ${end}::uuid) and (account_id, id) >= (${accountId}::uuid, ${span.first}::uuid)
    order by account_id desc, id desc limit 1`;
  return { ids, end: older.length === 0 ? null : end };
}

/** The first id of the week before these ids. */
function weekBefore(end: string): string {
  const { firstWeek } = toWeeks({ first: end, end });
  if (firstWeek < end) return firstWeek;
  const ms = Number.parseInt(end.replace("-", "").slice(0, 12), 16);
  return idFloor(startOfWeek(ms - 1));
}
