    with batch as materialized (
      select
        $1::uuid[] as ids,
        $2::uuid[] as account_ids,
        $3::uuid[] as hook_ids,
        $4::text[] as statuses,
        $5::int[] as body_sizes,
        $6::bytea as bytes
    ), input as materialized (
      select t.* from batch cross join unnest(
        ids, account_ids, hook_ids, statuses, body_sizes,
        $7::uuid[],
        $8::uuid[],
        $9::int[],
        $10::int[],
        $11::boolean[]
      ) with ordinality as t(id, account_id, hook_id, status, body_size, key, replay_key, within_seconds, age_ms, is_leased, position)
    ), replayed as (
      insert into dedupe_keys as known (key, delivery_id)
      select distinct on (replay_key) replay_key, id
      from input where replay_key is not null
      order by replay_key, position
      on conflict (key) do update set seen_count = known.seen_count + 1
      returning key, delivery_id
    ), keyed as (
      insert into dedupe_keys as known (key, delivery_id, within_seconds, created_at)
      select distinct on (input.key) input.key, input.id, input.within_seconds, now() - coalesce(age_ms, 0) * interval '1 millisecond'
      from input
      left join replayed on replayed.key = input.replay_key
      where input.key is not null and (input.replay_key is null or replayed.delivery_id = input.id)
      order by input.key, input.position
      on conflict (key) do update set (seen_count, delivery_id, created_at, within_seconds) = (
        select
          case when is_over then 1 else known.seen_count + 1 end,
          case when is_over then excluded.delivery_id else known.delivery_id end,
          case when is_over then greatest(excluded.created_at, known.created_at) else known.created_at end,
          excluded.within_seconds
        from (
          select coalesce(greatest(excluded.created_at - known.created_at, known.created_at - excluded.created_at)
            >= make_interval(secs => excluded.within_seconds), false) as is_over
        ) as age
      )
      returning key, delivery_id
    ), evaluated as (
      select input.position, input.id, input.account_id, input.hook_id, input.body_size, input.is_leased,
        case
          when input.status <> 'accepted' then input.status
          when replayed.delivery_id <> input.id or keyed.delivery_id <> input.id then 'duplicate'
          else 'accepted'
        end as outcome,
        case
          when replayed.delivery_id <> input.id then replayed.delivery_id
          when keyed.delivery_id <> input.id then keyed.delivery_id
        end as duplicate_of
      from input
      left join replayed on replayed.key = input.replay_key
      left join keyed on keyed.key = input.key
    ), stored as (
      insert into deliveries (
        id, account_id, hook_id, status, reason, detail, received_at, method, path, query, headers, content_type, body_size,
        body, event_id, event_type, duplicate_of, verification_outcome, verification_scheme, source_ip, batch_id,
        is_sample, response_ms
      )
      select
        id, account_id, hook_id, case when duplicate_of is null then status else 'duplicate' end,
        case when duplicate_of is null then reason end, case when duplicate_of is null then detail end, to_timestamp(received_at_ms / 1000), method, path, query,
        convert_from(substring(bytes from headers_at for headers_size), 'UTF8')::json, content_type, coalesce(sent_body_size, body_size),
        substring(bytes from body_at for body_size), event_id, event_type, duplicate_of, verification_outcome,
        verification_scheme, source_ip, batch_id, coalesce(is_sample, false),
        -- The clocks of the two machines are never compared: before the statement the catch process counts, within it the database.
        least(greatest(0, $12::float8 - received_at_ms), 2000000000)::int
          + (date_part('epoch', clock_timestamp() - statement_timestamp()) * 1000)::int
      from batch cross join unnest(
        ids, account_ids, hook_ids, statuses, body_sizes,
        $13::text[],
        $14::text[],
        $15::float8[],
        $16::text[],
        $17::text[],
        $18::text[],
        $19::int[],
        $20::int[],
        $21::text[],
        $22::int[],
        $23::text[],
        $24::text[],
        $25::text[],
        $26::text[],
        $27::text[],
        $28::uuid[],
        $29::boolean[],
        $30::int[]
      ) with ordinality as t(
        id, account_id, hook_id, status, body_size, reason, detail, received_at_ms, method, path, query, headers_at,
        headers_size, content_type, body_at, event_id, event_type, verification_outcome, verification_scheme, source_ip,
        batch_id, is_sample, sent_body_size, position
      )
      left join (select position, duplicate_of from evaluated where duplicate_of is not null) repeated using (position)
    ), targets as materialized (
      select a.id, a.hook_id, (row_number() over (partition by a.hook_id order by a.position, a.id))::int - 1 as ordinal,
        case when a.order_by is not null then (-9223372036854775808)::bigint end as order_key,
        case when a.id = any ($31::uuid[]) and a.held_since is null and h.status = 'active' and h.deleted_at is null
          and coalesce(a.max_concurrency, a.rate_count, a.breaker_failures) is null and a.order_by is null and a.destination_ids = '{}'
          then a.xmin::text || '.' || h.xmin::text end as version,
        $32::boolean as has_lease
      from actions a left join hooks h on h.id = a.hook_id
      where a.hook_id = any (array(select distinct hook_id from input where status = 'accepted')) and a.enabled and a.deleted_at is null
    ), enqueued as (
      insert into queue (id, account_id, target_id, hook_id, delivery_id, due_at, body_size, order_key, worker_id, lease_id, leased_until)
      select run_id(evaluated.id, targets.ordinal), account_id, targets.id, hook_id, evaluated.id, now(), body_size, order_key,
        case when is_leased and version is not null then $33::int end,
        case when is_leased and version is not null then $34::uuid end,
        case when is_leased and version is not null then now() + $35::int * interval '1 millisecond' end
      from evaluated join targets using (hook_id)
      where evaluated.outcome = 'accepted'
    ), heard as (
      insert into listener_inbox (account_id, hook_id, delivery_ids)
      select account_id, hook_id, array_agg(id order by position) from evaluated
      where (select exists (select from listeners where account_id = any ((select account_ids from batch)::uuid[])))
        and outcome = 'accepted' and exists (
          select from listeners l where l.account_id = evaluated.account_id and (l.hook_ids = '{}' or evaluated.hook_id = any (l.hook_ids))
        )
      group by account_id, hook_id
    )
    select id, duplicate_of as "duplicateOf", null::uuid as "hookId", null::int as ordinal, null::text as version
    from evaluated where duplicate_of is not null
    union all
    select id, null, hook_id, ordinal, version from targets where has_lease
