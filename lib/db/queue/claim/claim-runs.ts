import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import {
  type Claim,
  type ClaimedRow,
  crashCandidateThreshold,
  type KnownQueue,
  readClaim,
} from "../claimed-run.ts";
import { actionQueues, lateRuns, queueSlack } from "../control/action-queues.ts";
import { charged, frontColumns, frontNames, rates } from "../control/claim-limits.ts";
import { leasedAge, unkeyed } from "../control/claim-order.ts";
import { withControl, withoutControl } from "../control/claim-parts.ts";
import { breakerConcurrency } from "../control/record-health.ts";
import { deliveryColumns, noDelivery } from "../run-delivery.ts";

export type ClaimOptions = {
  /** The worker's id, from its registration. */
  readonly workerId: number;
  /** A fresh id that fences this claim against every later one. */
  readonly leaseId: string;
  readonly leaseMs: number;
  /** The number of runs that this worker can start now. */
  readonly freeSlots: number;
  /** Bytes of bodies that this worker can load now. One run is given regardless of its size. */
  readonly freeBytes: number;
  /** Bytes of bodies in this worker's memory, by account. Accounts without any may be omitted. */
  readonly inFlightBytes?: ReadonlyMap<string, number>;
  /** Concurrent calls per action over all workers, unless the action has its own cap. */
  readonly actionCap: number;
  /**
   * Concurrent calls per account over all workers, for actions that are not known to respond
   * quickly.
   */
  readonly accountCap: number;
  /** Extra concurrent calls per account for actions that respond quickly. Default: 0. */
  readonly quickReserve?: number;
  /**
   * The limits that this worker has learned. An omitted action is not known to respond quickly and
   * has its whole cap.
   */
  readonly actionLimits?: readonly ActionLimit[];
  /**
   * The leases of runs that were stored for this worker. `actionLimits` has left those out already,
   * because a claim doesn't see the ones behind a backlog. They count only where a user has set the
   * limit.
   */
  readonly handOffLeaseIds?: readonly string[];
  /**
   * The queues to claim from, each starting at its floor. Omitted: all queues from their start.
   * Finished runs leave dead entries at the start of their queue until the next vacuum, and walking
   * over 300,000 of them takes 20 ms (75 ms while an old snapshot is open), against 3 ms from the
   * floor.
   */
  readonly knownQueues?: readonly KnownQueue[];
  /** The maximum size of bodies that come with the claim. */
  readonly inlineBytes?: number;
  /**
   * False: the claim takes no runs of actions with a breaker, an order, or a destination, and costs
   * less. Default: true.
   */
  readonly hasControl?: boolean;
  /** True if the claim may include one crash candidate. Others stay queued. Default: true. */
  readonly allowCrashCandidate?: boolean;
};

export type ActionLimit = {
  readonly targetId: string;
  /** Concurrent calls, below its cap while they fail. Null: its cap. */
  readonly limit: number | null;
  readonly isQuick: boolean;
};

/**
 * Claims due runs for one worker, by the database's clock. No two workers get the same run. Runs
 * that are not due, whose hook is paused, or whose action or subscription is disabled stay queued.
 *
 * An action queue is the open runs of one target: an action or a subscription. A claim leaves
 * `due_at` alone, so a leased run keeps its place at the front: the first `cap` rows of each queue
 * contain what is running and what may start, and nothing has to be counted over the whole table.
 * Accounts take turns, and so do actions within an account. An account gets at most a quarter of
 * the slots that it leaves free (dynamic thresholds, as in switches with a shared buffer: Choudhury
 * and Hahne 1998), so that accounts waiting for receivers that never respond leave room for the
 * next one. The same goes for memory: an account's bodies take at most as much as they leave free,
 * but an account without any gets its first regardless of its size.
 *
 * Within an account, an action that is not known to respond quickly gets at most twice as much of
 * the account's cap as such actions leave free. Fast ones have a reserve beyond that cap, half of
 * the free slots, and two thirds of the memory, so that they continue despite any number of hanging
 * actions (docs/decisions/runs/032).
 *
 * An ordered subscription gives one run at a time: the one with the lowest position, which follows
 * the order of commits. While that one waits for its retry, the others wait too. Runs from before
 * it was ordered, or that have been retried after they ended, have no position, and go first: those
 * due first, and of a batch the oldest.
 *
 * An ordered action gives one run at a time of each key, the oldest (docs/decisions/runs/049). A
 * run whose key isn't known yet is claimed too, for a worker to find it.
 *
 * Actions with one call to the same destination share its rate, concurrency, and breaker.
 *
 * A breaker that is open holds the runs of its target for all workers (docs/decisions/runs/048).
 *
 * Expired leases are left to `rescueRuns`, which records that their call may have been made.
 */
export async function claimRuns(db: SqlDatabase, options: ClaimOptions): Promise<Claim> {
  const { workerId, leaseId, leaseMs, freeSlots, freeBytes, actionCap, accountCap } = options;
  if (freeSlots <= 0) return { runs: [], queues: [], hasMore: true, durationMs: 0 };
  const {
    knownQueues,
    inFlightBytes = new Map<string, number>(),
    allowCrashCandidate = true,
  } = options;
  const { actionLimits = [], handOffLeaseIds = [], quickReserve = 0 } = options;
  const { inlineBytes = defaultInlineBytes } = options;
  const control = options.hasControl === false ? withoutControl : withControl;
  // The inner limit is the maximum of `max_concurrency`, as a constant for the planner: without one
  // it expects a tenth of the table from each queue and starts the JIT compiler, which costs 100 ms.
  // `is true` keeps the planner from walking the index of `due_at` where it has the row ids.
  const rows = await db.$queryRaw<ClaimedRow[]>`
    with recursive ${knownQueues === undefined ? allQueues : toKnownQueues(knownQueues)}, open_queues as materialized (
      select q.account_id, q.target_id, q.floor_at, t.version, t.cap, least(t.cap, p.learned_limit) as learned_limit,
        coalesce(p.is_quick, false) as is_quick, t.is_ordered, t.seconds_each, t.breakers, t.breaker_span, t.breaker_pause,
        t.is_keyed, t.skip_after, t.destination_id, t.slack
      from known_queues q
      cross join lateral (
        select a.xmin::text || '.' || h.xmin::text as version,
          coalesce(a.max_concurrency, case when a.breaker_failures is not null
            then least(greatest(${breakerConcurrency}::int, a.breaker_failures), ${actionCap}::int) end, ${actionCap}::int) as cap,
          false as is_ordered, a.rate_seconds::float8 / a.rate_count as seconds_each,
          case when coalesce(a.breaker_failures, d.breaker_failures) is not null then array_remove(array[
            case when a.breaker_failures is not null then a.id end, case when d.breaker_failures is not null then d.id end
          ], null) end as breakers,
          a.breaker_window_seconds * interval '1 s' as breaker_span, a.breaker_open_seconds * interval '1 s' as breaker_pause,
          a.order_by is not null as is_keyed, a.order_skip_seconds * interval '1 s' as skip_after,
          d.id as destination_id, case when a.max_concurrency is null then ${queueSlack}::int else ${lateRuns}::int end as slack
        from actions a join hooks h on h.id = a.hook_id and h.status = 'active' and h.deleted_at is null
        ${control.destination}
        where a.id = q.target_id and a.enabled and a.held_since is null and a.deleted_at is null ${control.condition}
        union all
        select s.xmin::text || '.' || coalesce(settings.xmin::text, ''), case when s.ordered then 1 else coalesce(s.max_concurrency, ${actionCap}::int) end,
          s.ordered, s.rate_seconds::float8 / s.rate_count, null, null, null,
          false, null, null, case when s.max_concurrency is null and not s.ordered then ${queueSlack}::int else ${lateRuns}::int end
        from subscriptions s left join sender_settings settings on settings.account_id = s.account_id
        where s.id = q.target_id and s.status = 'active' and s.deleted_at is null
      ) t
      left join unnest(
        ${actionLimits.map(({ targetId }) => targetId)}::uuid[], ${actionLimits.map(({ limit }) => limit)}::int[],
        ${actionLimits.map(({ isQuick }) => isQuick)}::bool[]
      ) as p(target_id, learned_limit, is_quick) on p.target_id = q.target_id
    ), ${control.limited}, ${rates}, ${control.gates} front as materialized (
      select l.account_id, l.target_id, l.version, l.breakers, l.destination_id, l.is_quick, r.id, r.row_id, r.due_at, r.body_size, r.lease_id, r.worker_id, r.crash_count,
        r.is_unkeyed, r.queue_leased, r.front_at, r.queue_rank,
        ${control.learnedLimit} as learned_limit, ${control.tokens} as tokens
      from open_queues l
      left join rated rate on rate.target_id = l.target_id
      ${control.gateJoin}
      cross join lateral (
        select *, min(due_at) over () as front_at, count(lease_id) filter (
            where not is_unkeyed and (l.slack > ${queueSlack}::int or lease_id <> all (${[...handOffLeaseIds]}::uuid[]))
          ) over () as queue_leased,
          row_number() over (partition by lease_id is null, is_unkeyed order by due_at, id) as queue_rank
        from (
          (
            select ${frontNames} from (
              select ${frontColumns}, position, order_key from queue
              where account_id = l.account_id and target_id = l.target_id and due_at <= now() and due_at >= l.floor_at
              order by due_at limit 1016
            ) r where (not l.is_ordered or position is null) and (not l.is_keyed or order_key is null) limit l.cap + l.slack
          )
          union all
          (
            select ${frontNames} from (
              select ${frontColumns} from queue
              where account_id = l.account_id and target_id = l.target_id and position is not null and l.is_ordered
              order by account_id, target_id, position limit 1
            ) head where due_at <= now()
          )
          ${control.orderedFront}
        ) r
      ) r
    ), leased as materialized (
      select account_id, count(*) as total, count(*) filter (where not is_quick) as slow,
        count(*) filter (where worker_id = ${workerId}::int) as here, count(*) filter (where worker_id = ${workerId}::int and not is_quick) as slow_here
      from front where lease_id is not null group by account_id
    ), ${control.shared} in_account as (
      select f.id, f.row_id, f.account_id, f.due_at, f.body_size, f.front_at, f.crash_count, f.is_quick,
        case when f.is_quick then ${accountCap + quickReserve}::int - coalesce(l.total, 0)
          else ${accountCap}::int - coalesce(l.slow, 0) - (f.queue_leased + f.queue_rank) / ${slowShareOfFree}::int end as account_room,
        case when f.is_quick then ceil((${freeSlots}::int - ${quickShareOfFree}::int * coalesce(l.here, 0)) / (${quickShareOfFree}::float8 + 1))
          else ceil((${freeSlots}::int - ${shareOfFree}::int * coalesce(l.slow_here, 0)) / (${shareOfFree}::float8 + 1)) end as account_share,
        row_number() over (partition by f.account_id order by f.queue_rank, f.due_at, f.id) as account_rank
      from front f left join leased l on l.account_id = f.account_id
      where f.lease_id is null and (f.is_unkeyed or f.queue_rank <= least(f.learned_limit - f.queue_leased, f.tokens))
        ${control.isShared}
        and (f.crash_count < ${crashCandidateThreshold}::int or ${allowCrashCandidate}::bool)
    ), picked as (
      select *, sum(body_size) over (partition by account_id order by account_rank) as account_bytes
      from in_account
      where account_rank <= account_share and account_rank <= account_room
      order by account_rank, due_at, id limit ${freeSlots}::int
    ), sized as (
      select p.id, p.row_id, p.front_at, p.crash_count, row_number() over turn as turn, sum(p.body_size) over turn as bytes,
        count(*) filter (where p.crash_count >= ${crashCandidateThreshold}::int) over turn as candidates
      from picked p
      left join unnest(${[...inFlightBytes.keys()]}::uuid[], ${[...inFlightBytes.values()]}::bigint[]) as in_flight(account_id, bytes)
        on in_flight.account_id = p.account_id
      where p.body_size = 0 or (p.account_rank = 1 and in_flight.bytes is null)
        or p.account_bytes <= case when p.is_quick then (2 * ${freeBytes}::bigint - coalesce(in_flight.bytes, 0)) / 3
          else (${freeBytes}::bigint - coalesce(in_flight.bytes, 0)) / 2 end
      window turn as (order by p.account_rank, p.due_at, p.id)
    ), locked as (
      select ctid as row_id from queue
      where ctid = any (array(
          select row_id from sized
          where (turn = 1 or bytes <= ${freeBytes}::bigint) and (crash_count < ${crashCandidateThreshold}::int or candidates = 1)
        ))
        and lease_id is null and (due_at <= now() or order_key = ${unkeyed}) is true
      for no key update skip locked
    ), claimed as (
      update queue r
      set lease_id = ${leaseId}::uuid, leased_until = (select now() + ${leaseMs}::int * interval '1 millisecond'), worker_id = ${workerId}::int,
        due_at = case when r.order_key > ${unkeyed} then now() - ${leasedAge} else r.due_at end
      where r.ctid = any (array(select row_id from locked))
      returning r.id, r.account_id, r.target_id, r.hook_id, r.delivery_id, r.event_id as published_id, r.attempt_count, r.attempts_before, r.body_size,
        r.has_own_id, r.crash_count, date_part('epoch', r.retried_at) * 1000 as retried_ms, r.order_key = ${unkeyed} as is_unkeyed
    ), ${control.started}, ${charged} ${control.turned}
    select claimed.*, null::float8 as front_ms, null::float8 as duration_ms, null::int as due_count, null::text as version, null::uuid[] as breakers, ${noDelivery} from claimed
    union all
    select null, account_id, target_id, null, null, null, null, null, null, null, null, null, null, date_part('epoch', min(front_at)) * 1000,
      date_part('epoch', clock_timestamp() - now()) * 1000, (count(*) filter (where lease_id is null))::int, min(version), breakers, ${noDelivery}
    from front group by account_id, target_id, breakers
    having exists (select from claimed) or count(*) filter (where lease_id is null) > 0
    union all
    (select null, null, null, null, id, null, null, null, null, null, null, null, null, null, null, null, null, null, ${deliveryColumns}
    from deliveries where id = any (array(select delivery_id from claimed where body_size <= ${inlineBytes}::int)) order by id)`;
  return readClaim(rows, leaseId);
}

/** Larger bodies are loaded by a second statement, so that a claim stays short. */
const defaultInlineBytes = 64 * 1024;

const allQueues = Prisma.sql`${actionQueues}, known_queues as (
    select account_id, target_id, '-infinity'::timestamptz as floor_at from action_queues
  )`;

/** Starts a little before the floor, because an earlier transaction may commit later. */
function toKnownQueues(known: readonly KnownQueue[]): Prisma.Sql {
  return Prisma.sql`known_queues as (
    select account_id, target_id, to_timestamp(floor_ms / 1000) - interval '1 second' as floor_at
    from unnest(
      ${known.map((queue) => queue.accountId)}::uuid[], ${known.map((queue) => queue.targetId)}::uuid[],
      ${known.map((queue) => queue.floorMs)}::float8[]
    ) as t(account_id, target_id, floor_ms)
  )`;
}

/**
 * The share of free slots that an account gets: a quarter, but at least one slot if one is free, or
 * half if its actions respond quickly.
 */
const shareOfFree = 4;
const quickShareOfFree = 2;
/** A slow action gets at most twice as much of an account's cap as slow actions leave free. */
const slowShareOfFree = 2;
