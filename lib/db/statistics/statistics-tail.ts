import { idFloor } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";

/** The part that the roll-up has not counted yet, in Unix milliseconds. */
export type Tail = {
  readonly accountId: string;
  readonly hookIds: readonly string[];
  readonly sinceMs: number;
  readonly nowMs: number;
};

/**
 * The tolerance for clocks that differ: rows that seem to come from the next minutes belong to the
 * tail.
 */
const aheadMs = 3_600_000;
/** Maximum rows read beyond the roll-up: 40 s of 2,500 deliveries and of 1,000 runs a second. */
const maxRows = 100_000;
const maxRuns = 40_000;
/**
 * The maximum number of hooks that are looked up. For more, one walk over the account's rows is
 * shorter than a lookup per hook and status.
 */
const maxLookedUp = 50;

/** Deliveries as `id, hook_id, status`. `newest`: only the newest ones of each hook matter. */
export function selectTail(
  { accountId, hookIds, sinceMs, nowMs }: Tail,
  wanted: "all" | "newest" = "all",
): Prisma.Sql {
  const [first, end] = [idFloor(sinceMs), idFloor(nowMs + aheadMs)];
  const inSpan = Prisma.sql`d.id >= ${first}::uuid and d.id < ${end}::uuid`;
  if (hookIds.length > maxLookedUp) {
    return Prisma.sql`
      select id, hook_id, status from (
        select id, hook_id, status from deliveries d
        where (d.account_id, d.id) >= (${accountId}::uuid, ${first}::uuid) and (d.account_id, d.id) < (${accountId}::uuid, ${end}::uuid)
          and ${inSpan}
        order by d.account_id desc, d.id desc limit ${maxRows}::int
      ) of_account
      where hook_id = any (${[...hookIds]}::uuid[])`;
  }
  return Prisma.sql`
    select found.id, of_hook.id as hook_id, of_status.name as status
    from unnest(${[...hookIds]}::uuid[]) as of_hook(id)
    cross join unnest(${[...deliveryStatuses]}::text[]) as of_status(name)
    cross join lateral (
      select d.id from deliveries d
      where (d.hook_id, d.status, d.id) >= (of_hook.id, of_status.name, ${first}::uuid)
        and (d.hook_id, d.status, d.id) < (of_hook.id, of_status.name, ${end}::uuid) and ${inSpan}
      ${wanted === "newest" ? Prisma.sql`order by d.hook_id desc, d.status desc, d.id desc limit 1` : Prisma.empty}
    ) found
    limit ${maxRows}::int`;
}

/** Runs as `id, hook_id, target_id, state`. The statement has to define `ownQueues` first. */
export function selectRunTail({ accountId, sinceMs, nowMs }: Tail): Prisma.Sql {
  const [first, end] = [idFloor(sinceMs), idFloor(nowMs + aheadMs)];
  return Prisma.sql`
    (
      select id, hook_id, target_id, state from runs
      where (account_id, id) >= (${accountId}::uuid, ${first}::uuid) and (account_id, id) < (${accountId}::uuid, ${end}::uuid)
        and id >= ${first}::uuid and id < ${end}::uuid
      limit ${maxRuns}::int
    )
    union all
    (
      select found.* from own_queues cross join lateral (
        select id, hook_id, target_id, case when reason_code is null then 'queued' else 'retrying' end from queue
        where (account_id, target_id, id) >= (${accountId}::uuid, own_queues.target_id, ${first}::uuid)
          and (account_id, target_id, id) < (${accountId}::uuid, own_queues.target_id, ${end}::uuid)
      ) found
      limit ${maxRuns}::int
    )`;
}
