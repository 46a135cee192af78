import { Prisma } from "../../generated/client.ts";

/** The columns of a queue row that the claim needs. */
export const frontNames = Prisma.sql`id, row_id, due_at, body_size, lease_id, worker_id, crash_count, is_unkeyed`;
export const frontColumns = Prisma.sql`id, ctid as row_id, due_at, body_size, lease_id, worker_id, crash_count, false as is_unkeyed`;

/**
 * Part of the claim: the runs that targets with a rate limit may start now, by the generic cell
 * rate algorithm (ITU-T I.371). Each call moves `next_at` by its interval. Unused capacity carries
 * over for at most one second. The row's lock makes the limit hold over all workers: a target whose
 * lock another claim holds starts nothing. Calls are given out in tenths of a second, so that
 * claims stay large.
 */
export const rates = Prisma.sql`rates as materialized (
      select target_id, next_at from target_rates
      where target_id = any (array(select target_id from limited where seconds_each is not null))
      for update skip locked
    ), rated as materialized (
      select target_id, seconds_each, from_at,
        case when calls < least(greatest(0.1 / seconds_each, 1), 1000) then 0 else calls end as tokens
      from (
        select *, case when from_at > now() then 0 else floor(date_part('epoch', now() - from_at) / seconds_each + 1) end as calls
        from (
          select q.target_id, q.seconds_each, greatest(r.next_at, now() - interval '1 second') as from_at
          from limited q left join rates r on r.target_id = q.target_id
          where q.seconds_each is not null
            and (r.target_id is not null or not exists (select from target_rates t where t.target_id = q.target_id))
        ) since
      ) counted
    )`;

export const charged = Prisma.sql`charged as (
      insert into target_rates (target_id, next_at)
      select target_id, from_at + count(*) * seconds_each * interval '1 second'
      from started join rated using (target_id) group by target_id, from_at, seconds_each
      on conflict (target_id) do update set next_at = excluded.next_at
    )`;

/**
 * Part of the claim: how many runs of a target with a breaker may be in flight (`room`), and how
 * many of those that wait may start (`starts`). While the breaker is closed, each failure in its
 * window counts as a call in flight, so that both together stay within the cap. While it is open,
 * nothing starts until the next try: one run, for the worker that gets the row's lock.
 */
export const gates = Prisma.sql`probes as materialized (
      select target_id from target_breakers
      where target_id = any (array(select target_id from limited where breaker_span is not null))
        and down_since is not null and ramp is null and next_try_at <= now()
      for update skip locked
    ), gates as materialized (
      select q.target_id,
        case when b.down_since is not null then b.ramp else greatest(1,
          q.cap - (select count(*) from unnest(b.failed_at) as at where at > now() - q.breaker_span)) end as room,
        case when b.down_since is not null and b.ramp is null
          then (select count(*) from probes where probes.target_id = q.target_id) end as starts
      from limited q join target_breakers b on b.target_id = q.target_id
      where q.breaker_span is not null
    )`;

/** Postpones the next try, in case this one has no outcome. */
export const probed = Prisma.sql`probed as (
      update target_breakers b
      set probe_run_id = (select id from started where started.target_id = b.target_id limit 1),
        next_try_at = now() + (select breaker_pause from limited q where q.target_id = b.target_id)
      where target_id = any (array(select target_id from probes)) and target_id = any (array(select target_id from started))
    )`;
