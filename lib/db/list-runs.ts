import { isId } from "#lib/ids.ts";
import type { RunStatus } from "#lib/schema/run.ts";
import type { Database } from "./client.ts";
import { Prisma } from "./generated/client.ts";
import { decodeCursor, encodeCursor, firstId, type Page, type PageRequest, toPage } from "./page.ts";
import {
  isOfLiveHook,
  type RunRecord,
  type RunRow,
  runColumns,
  runSources,
  runStatusSql,
  toRunRecord,
} from "./run-record.ts";

export type RunFilter = {
  readonly deliveryId?: string | undefined;
  readonly actionId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly status?: RunStatus | undefined;
};

/**
 * Newest first, by key. Each page looks at 2,000 runs at most, so that a status which few runs have costs no more than one
 * that all have: such a page may be short, even empty, and still have a `nextCursor`.
 */
export async function listRuns(
  db: Database,
  accountId: string,
  filter: RunFilter,
  page: PageRequest,
): Promise<Page<RunRecord>> {
  const ids = [filter.deliveryId, filter.actionId, filter.subscriptionId].filter((id) => id !== undefined);
  if (!ids.every(isId)) return { items: [], nextCursor: null };
  const before = decodeCursor(page.cursor);
  // The first look is as short as the page: nearly always that is enough, unless the status is one that is not stored.
  for (const limit of [page.limit + 1, mostScanned]) {
    const scanned = await db.$queryRaw<{ id: string }[]>(selectIds({ accountId, filter, before, limit }));
    const wanted = { ids: scanned.map(({ id }) => id), filter, limit: page.limit + 1 };
    const matches = toPage(await readRuns(db, accountId, wanted), page.limit);
    if (matches.nextCursor !== null || scanned.length < limit) return matches;
    const lastScanned = scanned.at(-1);
    if (limit === mostScanned && lastScanned !== undefined) {
      return { items: matches.items, nextCursor: encodeCursor(lastScanned.id) };
    }
  }
  return { items: [], nextCursor: null };
}

/** All runs of one delivery, in the order they were made; the newest 200 of one that was replayed more often. */
export async function listRunsOfDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
): Promise<readonly RunRecord[]> {
  const page = await listRuns(db, accountId, { deliveryId }, { limit: 200 });
  return page.items.toReversed();
}

type Wanted = {
  readonly ids: readonly string[];
  readonly filter?: RunFilter;
  readonly limit: number;
};

/** Newest first, whatever the order of the ids. */
export async function readRuns(
  db: Database,
  accountId: string,
  { ids, filter: { actionId, subscriptionId, status } = {}, limit }: Wanted,
): Promise<RunRecord[]> {
  if (ids.length === 0) return [];
  const conditions = [
    Prisma.sql`r.id = any (${[...ids]}::uuid[]) and r.account_id = ${accountId}::uuid and ${isOfLiveHook}`,
    ...(actionId === undefined ? [] : [Prisma.sql`r.action_id = ${actionId}::uuid`]),
    ...(subscriptionId === undefined ? [] : [Prisma.sql`r.subscription_id = ${subscriptionId}::uuid`]),
    ...(status === undefined ? [] : [Prisma.sql`${runStatusSql} = ${status}`]),
  ];
  const rows = await db.$queryRaw<RunRow[]>`
    select ${runColumns} from ${runSources} where ${Prisma.join(conditions, " and ")} order by r.id desc limit ${limit}::int`;
  return rows.map(toRunRecord);
}

const mostScanned = 2_000;

/** Every state that a shown status can stem from. */
const statesOf: Readonly<Record<RunStatus, readonly string[]>> = {
  queued: ["queued"],
  retrying: ["retrying"],
  running: ["queued", "retrying"],
  held: ["queued", "retrying"],
  succeeded: ["succeeded"],
  failed: ["failed"],
  skipped: ["skipped"],
  cancelled: ["cancelled"],
};
const allStates = ["queued", "retrying", "succeeded", "failed", "skipped", "cancelled"];

type Ids = {
  readonly accountId: string;
  readonly filter: RunFilter;
  readonly before: string;
  readonly limit: number;
};

/** Bounds are row comparisons for the reason told in `list-deliveries.ts`. What an index doesn't decide is left to `readRuns`. */
function selectIds({ accountId, filter, before, limit }: Ids): Prisma.Sql {
  const { deliveryId, status } = filter;
  if (deliveryId !== undefined) {
    return Prisma.sql`
      select id from runs where delivery_id = ${deliveryId}::uuid and account_id = ${accountId}::uuid and id < ${before}::uuid
      order by id desc limit ${limit}::int`;
  }
  const targetId = filter.actionId ?? filter.subscriptionId;
  // Most runs have succeeded, so that a target's own runs are the shorter way to those; other states are rare everywhere.
  if (targetId !== undefined && (status === undefined || status === "succeeded")) {
    return Prisma.sql`
      select newest.id from unnest(${[targetId]}::uuid[]) as of_target(id)
      cross join lateral (
        select id from runs
        where (target_id, id) >= (of_target.id, ${firstId}::uuid) and (target_id, id) < (of_target.id, ${before}::uuid)
        order by target_id desc, id desc limit ${limit}::int
      ) newest
      order by newest.id desc limit ${limit}::int`;
  }
  const states = status === undefined ? allStates : [...statesOf[status]];
  return Prisma.sql`
    select newest.id from unnest(${states}::text[]) as of_state(name)
    cross join lateral (
      select id from runs
      where (account_id, state, id) >= (${accountId}::uuid, of_state.name, ${firstId}::uuid)
        and (account_id, state, id) < (${accountId}::uuid, of_state.name, ${before}::uuid)
      order by account_id desc, state desc, id desc limit ${limit}::int
    ) newest
    order by newest.id desc limit ${limit}::int`;
}
