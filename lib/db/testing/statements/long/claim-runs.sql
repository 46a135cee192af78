    with recursive action_queues as (
    (select account_id, target_id from queue order by account_id, target_id limit 1)
    union all
    select next.account_id, next.target_id
    from action_queues cross join lateral (
      select account_id, target_id from queue
      where (account_id, target_id) > (action_queues.account_id, action_queues.target_id)
      order by account_id, target_id limit 1
    ) next
  ), known_queues as (
    select account_id, target_id, '-infinity'::timestamptz as floor_at from action_queues
  ), open_queues as materialized (
      select q.account_id, q.target_id, q.floor_at, t.version, t.cap, least(t.cap, p.learned_limit) as learned_limit,
        coalesce(p.is_quick, false) as is_quick, t.is_ordered, t.seconds_each, t.breakers, t.breaker_span, t.breaker_pause,
        t.is_keyed, t.skip_after, t.destination_id, t.slack
      from known_queues q
      cross join lateral (
        select a.xmin::text || '.' || h.xmin::text as version,
          coalesce(a.max_concurrency, case when a.breaker_failures is not null
            then least(greatest($1::int, a.breaker_failures), $2::int) end, $3::int) as cap,
          false as is_ordered, a.rate_seconds::float8 / a.rate_count as seconds_each,
          case when coalesce(a.breaker_failures, d.breaker_failures) is not null then array_remove(array[
            case when a.breaker_failures is not null then a.id end, case when d.breaker_failures is not null then d.id end
          ], null) end as breakers,
          a.breaker_window_seconds * interval '1 s' as breaker_span, a.breaker_open_seconds * interval '1 s' as breaker_pause,
          a.order_by is not null as is_keyed, a.order_skip_seconds * interval '1 s' as skip_after,
          d.id as destination_id, case when a.max_concurrency is null then $4::int else $5::int end as slack
        from actions a join hooks h on h.id = a.hook_id and h.status = 'active' and h.deleted_at is null
        left join destinations d on d.id = a.destination_ids[1] and a.steps is null
          and coalesce(d.max_concurrency, d.rate_count, d.breaker_failures) is not null
        where a.id = q.target_id and a.enabled and a.held_since is null and a.deleted_at is null 
        union all
        select s.xmin::text || '.' || coalesce(settings.xmin::text, ''), case when s.ordered then 1 else coalesce(s.max_concurrency, $6::int) end,
          s.ordered, s.rate_seconds::float8 / s.rate_count, null, null, null,
          false, null, null, case when s.max_concurrency is null and not s.ordered then $7::int else $8::int end
        from subscriptions s left join sender_settings settings on settings.account_id = s.account_id
        where s.id = q.target_id and s.status = 'active' and s.deleted_at is null
      ) t
      left join unnest(
        $9::uuid[], $10::int[],
        $11::bool[]
      ) as p(target_id, learned_limit, is_quick) on p.target_id = q.target_id
    ), shared_destinations as materialized (
      select id as target_id, account_id, rate_seconds::float8 / rate_count as seconds_each,
        coalesce(max_concurrency, case when breaker_failures is not null then greatest($12::int, breaker_failures) end) as cap,
        breaker_window_seconds * interval '1 s' as breaker_span, breaker_open_seconds * interval '1 s' as breaker_pause
      from destinations where id = any (array(select destination_id from open_queues where destination_id is not null))
    ), limited as materialized (
      select target_id, seconds_each, cap, breaker_span, breaker_pause from open_queues
      where seconds_each is not null or breaker_span is not null
      union all
      select target_id, seconds_each, cap, breaker_span, breaker_pause from shared_destinations
    ), rates as materialized (
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
    ), probes as materialized (
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
    ), turns as materialized (
      select q.*, (
          select id from queue r
          where r.account_id = q.account_id and r.target_id = q.target_id and r.order_key = (-9223372036854775808)::bigint
          order by r.account_id, r.target_id, r.order_key, r.id limit 1
        ) as unkeyed_id, ((random() * 2 - 1) * 9.2e18)::bigint as from_key
      from (
        select t.target_id from target_turns t
        where t.target_id = any (array(select target_id from open_queues where is_keyed)) and (t.transaction_id is null
  or pg_visible_in_snapshot(t.transaction_id::text::xid8, pg_current_snapshot()))
        for update skip locked
      ) t join open_queues q using (target_id)
    ), keys (account_id, target_id, order_key, until_key, step) as (
      select account_id, target_id, part.order_key, part.until_key, 0
      from turns cross join lateral (
        values (from_key, 9223372036854775807), ((-9223372036854775808)::bigint, from_key)
      ) as part(order_key, until_key)
      union all
      select k.account_id, k.target_id, next.order_key, k.until_key, k.step + 1
      from keys k cross join lateral (
        select order_key from queue r
        where r.account_id = k.account_id and r.target_id = k.target_id and r.order_key > k.order_key and r.order_key <= k.until_key
        order by r.account_id, r.target_id, r.order_key, r.id limit 1
      ) next
      where k.step < $13::int
    ), heads as materialized (
      select q.target_id as of_target, head.* from turns q join keys k on k.target_id = q.target_id and k.step > 0
      cross join lateral (
        select id, ctid as row_id, due_at, body_size, lease_id, worker_id, crash_count, false as is_unkeyed from queue r
        where r.account_id = k.account_id and r.target_id = k.target_id and r.order_key = k.order_key and not (q.skip_after is not null and r.reason_code is not null
  and coalesce(r.retried_at, to_timestamp(uuid_v7_ms(r.id) / 1000.0)) < now() - q.skip_after)
        order by r.account_id, r.target_id, r.order_key, r.id limit 1
      ) head
      where head.lease_id is null and head.due_at <= now() and (q.unkeyed_id is null or head.id < q.unkeyed_id)
      union all
      select q.target_id, skipped.* from turns q cross join lateral (
        select id, ctid as row_id, due_at, body_size, lease_id, worker_id, crash_count, false as is_unkeyed from (
          select *, ctid from queue r
          where r.account_id = q.account_id and r.target_id = q.target_id and r.reason_code is not null and q.skip_after is not null
          order by r.account_id, r.target_id, r.id limit 1016
        ) r
        where r.lease_id is null and r.due_at <= now() and r.order_key > (-9223372036854775808)::bigint and (q.skip_after is not null and r.reason_code is not null
  and coalesce(r.retried_at, to_timestamp(uuid_v7_ms(r.id) / 1000.0)) < now() - q.skip_after)
      ) skipped
    ), destination_turns as materialized (
      select d.target_id from shared_destinations d
      where not exists (select from target_turns t where t.target_id = d.target_id)
      union all
      select * from (
        select t.target_id from target_turns t
        where t.target_id = any (array(select target_id from shared_destinations)) and (t.transaction_id is null
  or pg_visible_in_snapshot(t.transaction_id::text::xid8, pg_current_snapshot()))
        for update skip locked
      ) seen
    ), allowances as materialized (
      select d.target_id, case when d.target_id = any (array(select target_id from destination_turns)) then least(
          case when d.seconds_each is not null then coalesce((select tokens from rated where rated.target_id = d.target_id), 0) end,
          gate.starts, case when gate.starts > 0 then null else least(d.cap, gate.room) - in_flight.count end
        ) else 0 end as starts
      from shared_destinations d left join gates gate on gate.target_id = d.target_id
      cross join lateral (
        select count(r.lease_id) as count from actions a cross join lateral (
          select lease_id from queue
          where account_id = a.account_id and target_id = a.id and due_at <= now()
          order by due_at limit 1016
        ) r
        where a.account_id = d.account_id and a.destination_ids[1] = d.target_id and a.steps is null and d.cap is not null
      ) in_flight
    ), front as materialized (
      select l.account_id, l.target_id, l.version, l.breakers, l.destination_id, l.is_quick, r.id, r.row_id, r.due_at, r.body_size, r.lease_id, r.worker_id, r.crash_count,
        r.is_unkeyed, r.queue_leased, r.front_at, r.queue_rank,
        case when gate.starts > 0 then r.queue_leased + gate.starts else least(l.learned_limit, gate.room) end as learned_limit, least(case when l.seconds_each is null then null else coalesce(rate.tokens, 0) end, gate.starts) as tokens
      from open_queues l
      left join rated rate on rate.target_id = l.target_id
      left join gates gate on gate.target_id = l.target_id
      cross join lateral (
        select *, min(due_at) over () as front_at, count(lease_id) filter (
            where not is_unkeyed and (l.slack > $14::int or lease_id <> all ($15::uuid[]))
          ) over () as queue_leased,
          row_number() over (partition by lease_id is null, is_unkeyed order by due_at, id) as queue_rank
        from (
          (
            select id, row_id, due_at, body_size, lease_id, worker_id, crash_count, is_unkeyed from (
              select id, ctid as row_id, due_at, body_size, lease_id, worker_id, crash_count, false as is_unkeyed, position, order_key from queue
              where account_id = l.account_id and target_id = l.target_id and due_at <= now() and due_at >= l.floor_at
              order by due_at limit 1016
            ) r where (not l.is_ordered or position is null) and (not l.is_keyed or order_key is null) limit l.cap + l.slack
          )
          union all
          (
            select id, row_id, due_at, body_size, lease_id, worker_id, crash_count, is_unkeyed from (
              select id, ctid as row_id, due_at, body_size, lease_id, worker_id, crash_count, false as is_unkeyed from queue
              where account_id = l.account_id and target_id = l.target_id and position is not null and l.is_ordered
              order by account_id, target_id, position limit 1
            ) head where due_at <= now()
          )
          union all
          (
            select id, ctid as row_id, due_at, body_size, lease_id, worker_id, crash_count, false as is_unkeyed from queue
            where l.is_keyed and account_id = l.account_id and target_id = l.target_id
              and due_at > now() - interval '20 years' - interval '1 day' and due_at < now() - interval '10 years'
            order by due_at limit 1016
          )
          union all
          (
            select id, ctid, due_at, body_size, lease_id, worker_id, crash_count, true from queue
            where l.is_keyed and account_id = l.account_id and target_id = l.target_id and order_key = (-9223372036854775808)::bigint
            order by account_id, target_id, order_key, id limit $16::int
          )
          union all
          (select id, row_id, due_at, body_size, lease_id, worker_id, crash_count, is_unkeyed from heads where l.is_keyed and of_target = l.target_id)
        ) r
      ) r
    ), leased as materialized (
      select account_id, count(*) as total, count(*) filter (where not is_quick) as slow,
        count(*) filter (where worker_id = $17::int) as here, count(*) filter (where worker_id = $18::int and not is_quick) as slow_here
      from front where lease_id is not null group by account_id
    ), shared as materialized (
      select ranked.id from (
        select id, destination_id, row_number() over (partition by destination_id order by queue_rank, due_at, id) as place_in_line
        from front
        where destination_id is not null and lease_id is null and not is_unkeyed
          and queue_rank <= least(learned_limit - queue_leased, tokens)
      ) ranked join allowances on allowances.target_id = ranked.destination_id
      where place_in_line <= starts
    ), in_account as (
      select f.id, f.row_id, f.account_id, f.due_at, f.body_size, f.front_at, f.crash_count, f.is_quick,
        case when f.is_quick then $19::int - coalesce(l.total, 0)
          else $20::int - coalesce(l.slow, 0) - (f.queue_leased + f.queue_rank) / $21::int end as account_room,
        case when f.is_quick then ceil(($22::int - $23::int * coalesce(l.here, 0)) / ($24::float8 + 1))
          else ceil(($25::int - $26::int * coalesce(l.slow_here, 0)) / ($27::float8 + 1)) end as account_share,
        row_number() over (partition by f.account_id order by f.queue_rank, f.due_at, f.id) as account_rank
      from front f left join leased l on l.account_id = f.account_id
      where f.lease_id is null and (f.is_unkeyed or f.queue_rank <= least(f.learned_limit - f.queue_leased, f.tokens))
        and (f.destination_id is null or f.is_unkeyed or f.id = any (array(select id from shared)))
        and (f.crash_count < $28::int or $29::bool)
    ), picked as (
      select *, sum(body_size) over (partition by account_id order by account_rank) as account_bytes
      from in_account
      where account_rank <= account_share and account_rank <= account_room
      order by account_rank, due_at, id limit $30::int
    ), sized as (
      select p.id, p.row_id, p.front_at, p.crash_count, row_number() over turn as turn, sum(p.body_size) over turn as bytes,
        count(*) filter (where p.crash_count >= $31::int) over turn as candidates
      from picked p
      left join unnest($32::uuid[], $33::bigint[]) as in_flight(account_id, bytes)
        on in_flight.account_id = p.account_id
      where p.body_size = 0 or (p.account_rank = 1 and in_flight.bytes is null)
        or p.account_bytes <= case when p.is_quick then (2 * $34::bigint - coalesce(in_flight.bytes, 0)) / 3
          else ($35::bigint - coalesce(in_flight.bytes, 0)) / 2 end
      window turn as (order by p.account_rank, p.due_at, p.id)
    ), locked as (
      select ctid as row_id from queue
      where ctid = any (array(
          select row_id from sized
          where (turn = 1 or bytes <= $36::bigint) and (crash_count < $37::int or candidates = 1)
        ))
        and lease_id is null and (due_at <= now() or order_key = (-9223372036854775808)::bigint) is true
      for no key update skip locked
    ), claimed as (
      update queue r
      set lease_id = $38::uuid, leased_until = (select now() + $39::int * interval '1 millisecond'), worker_id = $40::int,
        due_at = case when r.order_key > (-9223372036854775808)::bigint then now() - interval '20 years' else r.due_at end
      where r.ctid = any (array(select row_id from locked))
      returning r.id, r.account_id, r.target_id, r.hook_id, r.delivery_id, r.event_id as published_id, r.attempt_count, r.attempts_before, r.body_size,
        r.has_own_id, r.crash_count, date_part('epoch', r.retried_at) * 1000 as retried_ms, r.order_key = (-9223372036854775808)::bigint as is_unkeyed
    ), started as materialized (
      select id, target_id from claimed where is_unkeyed is not true
      union all
      select c.id, q.destination_id from claimed c join open_queues q on q.target_id = c.target_id
      where q.destination_id is not null and c.is_unkeyed is not true
    ), charged as (
      insert into target_rates (target_id, next_at)
      select target_id, from_at + count(*) * seconds_each * interval '1 second'
      from started join rated using (target_id) group by target_id, from_at, seconds_each
      on conflict (target_id) do update set next_at = excluded.next_at
    ) , probed as (
      update target_breakers b
      set probe_run_id = (select id from started where started.target_id = b.target_id limit 1),
        next_try_at = now() + (select breaker_pause from limited q where q.target_id = b.target_id)
      where target_id = any (array(select target_id from probes)) and target_id = any (array(select target_id from started))
    ), turned as (
      insert into target_turns (target_id, transaction_id)
      select distinct target_id, pg_current_xact_id()::text::bigint from started
      where target_id = any (array(select target_id from turns union all select target_id from destination_turns))
      on conflict (target_id) do update set transaction_id = excluded.transaction_id
    )
    select claimed.*, null::float8 as front_ms, null::float8 as duration_ms, null::int as due_count, null::text as version, null::uuid[] as breakers, 
  null::float8 as received_at_ms, null::text as method, null::text as path, null::text as query, null::text as headers,
  null::text as content_type, null::text as event_id, null::text as event_type, null::boolean as is_sample, null::text as body from claimed
    union all
    select null, account_id, target_id, null, null, null, null, null, null, null, null, null, null, date_part('epoch', min(front_at)) * 1000,
      date_part('epoch', clock_timestamp() - now()) * 1000, (count(*) filter (where lease_id is null))::int, min(version), breakers, 
  null::float8 as received_at_ms, null::text as method, null::text as path, null::text as query, null::text as headers,
  null::text as content_type, null::text as event_id, null::text as event_type, null::boolean as is_sample, null::text as body
    from front group by account_id, target_id, breakers
    having exists (select from claimed) or count(*) filter (where lease_id is null) > 0
    union all
    (select null, null, null, null, id, null, null, null, null, null, null, null, null, null, null, null, null, null, 
  date_part('epoch', received_at) * 1000 as received_at_ms, method, path, query, headers::text as headers,
  content_type, event_id, event_type, is_sample, encode(body, 'base64') as body
    from deliveries where id = any (array(select delivery_id from claimed where body_size <= $41::int)) order by id)
