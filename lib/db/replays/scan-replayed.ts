import { earlierId, firstId, idFloor, lastId, laterId } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { toWeeks } from "#lib/db/postgres/partitions/partition-weeks.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { runSourcesOfDeliveries } from "#lib/db/runs/run-sources.ts";
import type { ReplayFilter } from "#lib/schema/act/replay.ts";

/** A delivery and the action to run on it. */
export type ReplayedPair = {
  readonly deliveryId: string;
  readonly actionId: string;
  readonly bodySize: number;
  /** The run whose request is sent as it was. Null: the request is built again. */
  readonly sentBy: string | null;
};

/** Deliveries with an action whose earlier request can't be sent, each counted once. */
export type LeftOut = {
  /**
   * Deliveries whose run didn't end with a call of this version: its request isn't stored with it.
   */
  readonly notStored: number;
  /**
   * Deliveries without a run, without one that has ended, or with one that sent nothing or had
   * steps.
   */
  readonly nothingSent: number;
};

type Span = { readonly after?: string; readonly before?: string; readonly limit: number };

type Scanned = {
  readonly pairs: readonly ReplayedPair[];
  readonly leftOut: LeftOut;
  /** The last delivery that was checked. Null: there are no more. */
  readonly last: string | null;
};

/**
 * Scans the next accepted deliveries of a replay, oldest first, with its actions. Rejected and
 * pending ones are never among them: nothing proves who sent them. Reads ids from an index.
 */
export async function scanReplayed(
  tx: SqlStatements,
  accountId: string,
  filter: ReplayFilter,
  actionIds: readonly string[],
  { after = firstId, before = lastId, limit }: Span,
): Promise<Scanned> {
  const { hookId, eventType, from, to, as, onlyMissing } = filter;
  const first = from === undefined ? after : laterId(after, idFloor(from - 1));
  const end = to === undefined ? before : earlierId(before, idFloor(to));
  const { firstWeek, endWeek } = toWeeks({ first, end });
  const [columns, values] =
    eventType === undefined
      ? [Prisma.sql`hook_id, status`, Prisma.sql`of_hook.id, 'accepted'`]
      : [
          Prisma.sql`hook_id, event_type, status`,
          Prisma.sql`of_hook.id, ${eventType}::text, 'accepted'`,
        ];
  const deliveries = await tx.$queryRaw<{ id: string; bodySize: number }[]>`
    select d.id, d.body_size as "bodySize" from (
      select next.id from (
        select id from hooks where id = ${hookId}::uuid and account_id = ${accountId}::uuid and deleted_at is null
      ) of_hook cross join lateral (
        select id from deliveries
        where (${columns}, id) > (${values}, ${first}::uuid) and (${columns}, id) < (${values}, ${end}::uuid)
          and id >= ${firstWeek}::uuid and id < ${endWeek}::uuid
        order by ${columns}, id limit ${limit}::int
      ) next
    ) found cross join lateral (select id, body_size from deliveries where id = found.id limit 1) d
    order by d.id`;
  const last = deliveries.length < limit ? null : (deliveries.at(-1)?.id ?? null);
  const ids = deliveries.map(({ id }) => id);
  const isFiltered = as === "then" || onlyMissing;
  const known = isFiltered ? await readLastRuns(tx, accountId, ids, actionIds) : new Map();
  const leftOut = { notStored: 0, nothingSent: 0 };
  const pairs = deliveries.flatMap(({ id, bodySize }) =>
    actionIds.flatMap((actionId): ReplayedPair[] => {
      const run = known.get(placeOf(id, actionId));
      if (onlyMissing && run !== undefined) return [];
      if (as === "then" && run?.hasRequest !== true) {
        leftOut[run?.hasOlderRequest === true ? "notStored" : "nothingSent"] += 1;
        return [];
      }
      const sentBy = as === "then" ? run.id : null;
      return [{ deliveryId: id, actionId, bodySize, sentBy }];
    }),
  );
  return { pairs, leftOut, last };
}

type LastRun = {
  readonly id: string;
  readonly hasRequest: boolean;
  /**
   * True if its request is with its attempts, because it is from before the upgrade that stores it
   * with the run.
   */
  readonly hasOlderRequest: boolean;
};

/**
 * Reads the latest run of each action and delivery that has sent something, or else any other run.
 */
async function readLastRuns(
  tx: SqlStatements,
  accountId: string,
  deliveryIds: readonly string[],
  actionIds: readonly string[],
): Promise<ReadonlyMap<string, LastRun>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<
    { id: string; delivery_id: string; target_id: string; sent: boolean; sent_before: boolean }[]
  >`
    select r.id, r.delivery_id, r.target_id, r.request is not null as sent,
      r.finished_at is not null and r.started_at is null and r.attempt_count > 0 and exists (
        select from attempts tried
        where tried.run_id = r.id and tried.step is null and tried.request is not null
          and tried.id >= uuid_v7_floor(to_timestamp(uuid_v7_ms(r.id) / 1000.0) - interval '1 minute')
      ) as sent_before
    from ${runSourcesOfDeliveries(deliveryIds)}
    where r.account_id = ${accountId}::uuid and r.target_id = any (${[...actionIds]}::uuid[])
    order by sent, r.id`;
  return new Map(
    rows.map((row) => [
      placeOf(row.delivery_id, row.target_id),
      { id: row.id, hasRequest: row.sent, hasOlderRequest: row.sent_before },
    ]),
  );
}

function placeOf(deliveryId: string, actionId: string): string {
  return `${deliveryId} ${actionId}`;
}
