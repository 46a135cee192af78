import { Prisma } from "../generated/client.ts";
import type { SqlDatabase } from "../sql-database.ts";
import { laneSlack, lanes } from "./lanes.ts";

export type ClaimOptions = {
  /** Of this worker, from its registration. */
  readonly workerId: number;
  /** A fresh id: fences what this claim takes against every later one. */
  readonly leaseId: string;
  readonly leaseMs: number;
  /** Runs this worker can start now. */
  readonly freeSlots: number;
  /** Bytes of bodies this worker can take into memory now; one run is given whatever its size. */
  readonly freeBytes: number;
  /** Bytes of bodies this worker has in memory already, by account; an account without any may be left out. */
  readonly heldBytes?: ReadonlyMap<string, number>;
  /** Calls of one action at a time, over all workers, where the action doesn't say. */
  readonly laneCap: number;
  /** Calls of one account at a time, over all workers. */
  readonly accountCap: number;
  /**
   * Look at these lanes only, each from its floor on; all lanes from their beginning if it is left out. Runs that finished leave dead
   * entries at the beginning of their lane until the next vacuum, and walking over 300,000 of them takes 20 ms (75 ms
   * while somebody holds an old snapshot), against 3 ms from the floor.
   */
  readonly knownLanes?: readonly KnownLane[];
  /** Whether one suspect may be among them; the others of its kind stay where they are. Default: true. */
  readonly takesSuspect?: boolean;
};

/** A run whose worker died this many times in a row, without any attempt ending in between, is not tried again. */
export const maxCrashes = 3;

/** One death more would be the last. So that it is clear which run that comes from, suspects are begun one at a time. */
export const suspectCrashes = maxCrashes - 1;

/** Where a claim has found the first open run of a lane. */
export type KnownLane = {
  readonly accountId: string;
  readonly actionId: string;
  /** Unix time. */
  readonly floorMs: number;
};

export type Claim = {
  readonly runs: readonly ClaimedRun[];
  /** Of the lanes that runs were taken from. */
  readonly lanes: readonly KnownLane[];
  /** What the statement took, in the database; 0 when it found nothing. */
  readonly tookMs: number;
};

export type ClaimedRun = {
  readonly id: string;
  readonly leaseId: string;
  readonly accountId: string;
  readonly actionId: string;
  readonly hookId: string;
  readonly deliveryId: string;
  /** Of the attempt that is to be made now; the first is 1. */
  readonly attemptNumber: number;
  /** Those made before it was last retried by hand: its policy counts from there. */
  readonly attemptsBefore: number;
  /** Of the delivery's body, in bytes. */
  readonly bodySize: number;
  /** Its worker died twice in a row; hardly ever because of it, but if so, then because of it alone. */
  readonly isSuspect: boolean;
};

/**
 * Takes due runs for one worker, by the database's clock. No two workers get the same run, what is not due is not touched,
 * and runs whose hook is paused or whose action is switched off stay where they are.
 *
 * A lane is what is open of one action. A claim leaves `due_at` alone, so a leased run keeps its place at the front of
 * its lane: the first `cap` rows of each lane hold both what is running and what may start, and nothing has to be counted over
 * the whole queue. Accounts take turns, actions within an account take turns. An account gets no more of this worker's
 * slots than a quarter of those it leaves free (dynamic thresholds, as in switches with a shared buffer: Choudhury and Hahne 1998), so
 * that accounts which wait for receivers that never answer leave room for the next one. So it is with memory: an account's bodies take
 * no more of it than they leave free, but an account that has none there gets its first whatever its size.
 *
 * Runs with a lease that has expired are not taken here but by `reapRuns`, which records that their call may have been made.
 */
export async function claimRuns(db: SqlDatabase, options: ClaimOptions): Promise<Claim> {
  const { workerId, leaseId, leaseMs, freeSlots, freeBytes, laneCap, accountCap } = options;
  if (freeSlots <= 0) return { runs: [], lanes: [], tookMs: 0 };
  const { knownLanes, heldBytes = new Map<string, number>(), takesSuspect = true } = options;
  // By `state` where single rows are locked: by `finished_at` the planner may take the lane's index and read all of it.
  // The inner limit is the most that `max_concurrency` can be. It is a constant for the planner's sake: without one it expects a
  // tenth of the table from each lane and reaches for the JIT compiler, which costs 100 ms.
  const rows = await db.$queryRaw<ClaimedRow[]>`
    with recursive ${knownLanes === undefined ? allLanes : toLanes(knownLanes)}, open_lanes as (
      select lanes.account_id, lanes.target_id, lanes.floor_at, coalesce(a.max_concurrency, ${laneCap}::int) as cap
      from known_lanes lanes
      join actions a on a.id = lanes.target_id and a.enabled and a.deleted_at is null
      join hooks h on h.id = a.hook_id and h.status = 'active' and h.deleted_at is null
    ), front as materialized (
      select l.account_id, l.target_id, l.cap, r.id, r.delivery_id, r.due_at, r.lease_id, r.worker_id, r.crash_count
      from open_lanes l cross join lateral (
        select * from (
          select id, delivery_id, due_at, lease_id, worker_id, crash_count from runs
          where account_id = l.account_id and target_id = l.target_id and finished_at is null and due_at <= now() and due_at >= l.floor_at
          order by due_at limit 1016
        ) r limit l.cap + ${laneSlack}::int
      ) r
    ), in_lane as (
      select id, delivery_id, account_id, due_at, lease_id, cap, crash_count,
        count(lease_id) over lane as lane_leased, min(due_at) over lane as front_at,
        row_number() over (partition by account_id, target_id, lease_id is null order by due_at, id) as lane_rank,
        count(lease_id) over account as account_leased,
        count(lease_id) filter (where worker_id = ${workerId}::int) over account as account_leased_here
      from front
      window lane as (partition by account_id, target_id), account as (partition by account_id)
    ), in_account as (
      select id, account_id, delivery_id, due_at, front_at, crash_count, account_leased,
        ceil((${freeSlots}::int - ${shareOfFree}::int * account_leased_here) / (${shareOfFree}::float8 + 1)) as account_share,
        row_number() over (partition by account_id order by lane_rank, due_at, id) as account_rank
      from in_lane
      where lease_id is null and lane_rank <= cap - lane_leased and (crash_count < ${suspectCrashes}::int or ${takesSuspect}::bool)
    ), picked as (
      select id, account_id, delivery_id, account_rank, due_at, front_at, crash_count from in_account
      where account_rank <= account_share and account_rank <= ${accountCap}::int - account_leased
      order by account_rank, due_at, id limit ${freeSlots}::int
    ), weighed as (
      select p.*, coalesce(d.body_size, 0) as body_size,
        sum(coalesce(d.body_size, 0)) over (partition by p.account_id order by p.account_rank) as account_bytes
      from picked p
      left join lateral (select body_size from deliveries where id = p.delivery_id limit 1) d on true
    ), sized as (
      select w.id, w.front_at, w.body_size, w.crash_count, row_number() over turn as turn, sum(w.body_size) over turn as bytes,
        count(*) filter (where w.crash_count >= ${suspectCrashes}::int) over turn as suspects
      from weighed w
      left join unnest(${[...heldBytes.keys()]}::uuid[], ${[...heldBytes.values()]}::bigint[]) as held(account_id, bytes)
        on held.account_id = w.account_id
      where w.body_size = 0 or (w.account_rank = 1 and held.bytes is null)
        or w.account_bytes <= (${freeBytes}::bigint - coalesce(held.bytes, 0)) / 2
      window turn as (order by w.account_rank, w.due_at, w.id)
    ), locked as (
      select id from runs
      where id = any (array(
          select id from sized
          where (turn = 1 or bytes <= ${freeBytes}::bigint) and (crash_count < ${suspectCrashes}::int or suspects = 1)
        ))
        and lease_id is null and state in ('queued', 'retrying') and due_at <= now()
      for no key update skip locked
    ), claimed as (
      update runs r
      set lease_id = ${leaseId}::uuid, leased_until = now() + ${leaseMs}::int * interval '1 millisecond', worker_id = ${workerId}::int
      where r.id = any (array(select id from locked))
      returning r.id, r.account_id, r.action_id, r.hook_id, r.delivery_id, r.attempt_count, r.attempts_before
    )
    select claimed.*, sized.body_size, sized.crash_count, (extract(epoch from sized.front_at) * 1000)::float8 as front_ms,
      (extract(epoch from clock_timestamp() - now()) * 1000)::float8 as took_ms
    from claimed join sized on sized.id = claimed.id`;
  return {
    runs: rows.map((row) => toClaimedRun(row, leaseId)),
    lanes: [...new Map(rows.map((row) => [row.action_id, toKnownLane(row)])).values()],
    tookMs: rows[0]?.took_ms ?? 0,
  };
}

const allLanes = Prisma.sql`${lanes}, known_lanes as (
    select account_id, target_id, '-infinity'::timestamptz as floor_at from lanes
  )`;

/** A little before the floor, because a transaction that began earlier may commit later. */
function toLanes(known: readonly KnownLane[]): Prisma.Sql {
  return Prisma.sql`known_lanes as (
    select account_id, target_id, to_timestamp(floor_ms / 1000) - interval '1 second' as floor_at
    from unnest(
      ${known.map((lane) => lane.accountId)}::uuid[], ${known.map((lane) => lane.actionId)}::uuid[],
      ${known.map((lane) => lane.floorMs)}::float8[]
    ) as t(account_id, target_id, floor_ms)
  )`;
}

function toClaimedRun(row: ClaimedRow, leaseId: string): ClaimedRun {
  return {
    id: row.id,
    leaseId,
    accountId: row.account_id,
    actionId: row.action_id,
    hookId: row.hook_id,
    deliveryId: row.delivery_id,
    attemptNumber: row.attempt_count + 1,
    attemptsBefore: row.attempts_before,
    bodySize: row.body_size,
    isSuspect: row.crash_count >= suspectCrashes,
  };
}

function toKnownLane(row: ClaimedRow): KnownLane {
  return { accountId: row.account_id, actionId: row.action_id, floorMs: row.front_ms };
}

/** An account has at most a quarter of what it leaves free, at least one where one is free. */
const shareOfFree = 4;

type ClaimedRow = {
  id: string;
  account_id: string;
  action_id: string;
  hook_id: string;
  delivery_id: string;
  attempt_count: number;
  attempts_before: number;
  body_size: number;
  crash_count: number;
  front_ms: number;
  took_ms: number;
};
