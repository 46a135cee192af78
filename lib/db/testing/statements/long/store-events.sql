    with batch as materialized (
      select
        $1::uuid[] as ids,
        $2::uuid[] as account_ids,
        $3::int[] as body_sizes,
        $4::bytea as bytes
    ), input as materialized (
      select t.* from batch cross join unnest(
        ids, account_ids, body_sizes,
        $5::int[],
        $6::uuid[],
        $7::uuid[]
      ) with ordinality as t(id, account_id, body_size, topic, key, content, position)
    ), keyed as (
      insert into event_keys as known (key, event_id, content)
      select distinct on (key) key, id, content from input where key is not null
      order by key, position
      on conflict (key) do update set seen_count = known.seen_count + 1
      returning key, event_id, content
    ), evaluated as materialized (
      select input.position, input.id, input.account_id, input.body_size, input.topic,
        case
          when input.key is null or keyed.event_id = input.id then 'stored'
          when keyed.content = input.content then 'duplicate'
          else 'conflict'
        end as outcome
      from input left join keyed on keyed.key = input.key
    ), stored as (
      insert into events (id, account_id, public_id, type, recipient, occurred_at, body, warning)
      select id, account_id, public_id, type, recipient, to_timestamp(occurred_at_ms / 1000),
        substring(bytes from body_at for body_size), warning
      from batch cross join unnest(
        ids, account_ids, body_sizes,
        $8::int[],
        $9::text[],
        $10::text[],
        $11::text[],
        $12::float8[],
        $13::text[]
      ) with ordinality as t(
        id, account_id, body_size, body_at, public_id, type, recipient, occurred_at_ms, warning, position
      )
      where position not in (select position from evaluated where outcome <> 'stored')
    ), sent_events as (
      select id, account_id, body_size, topic, position from evaluated where outcome = 'stored'
    ), 
    event_targets as materialized (
    select topic, id as subscription_id, ordered,
      (row_number() over (partition by topic order by id))::int - 1 as ordinal
    from (
      select distinct topic, subscription_id
      from unnest(
        $14::int[],
        $15::uuid[],
        $16::text[],
        $17::text[]
      ) as wanted(topic, account_id, recipient, pattern)
      cross join lateral (
        select subscription_id from subscription_patterns as known
        where known.account_id = wanted.account_id and known.recipient = wanted.recipient
          and known.pattern = wanted.pattern
        offset 0
      ) as known
    ) as matched
    cross join lateral (
      select id, ordered from subscriptions
      where id = matched.subscription_id and status = 'active' and deleted_at is null
      offset 0
    ) as subscription
    ), send_limit as materialized (
      select limit_sends(sum(($18::int[])[topic + 1]), $19::bigint) as is_kept
      from event_targets
    ), 
    event_places as (
      insert into subscription_positions as known (subscription_id, last_position)
      select subscription_id, count(*) from sent_events join event_targets using (topic)
      where ordered and (select is_kept from send_limit)
      group by 1 order by 1
      on conflict (subscription_id) do update
        set last_position = known.last_position + excluded.last_position
      returning subscription_id, last_position
    ), enqueued_sends as (
      insert into queue (id, account_id, target_id, event_id, due_at, body_size, has_own_id, position)
      select run_id(event.id, ordinal), account_id, subscription_id, event.id, now(), body_size, false, null
      from sent_events as event join event_targets using (topic)
      where not ordered and (select is_kept from send_limit)
      union all
      select run_id(event.id, ordinal), account_id, subscription_id, event.id, now(), body_size, false,
        -- Counted back from the last position, which belongs to the last event.
        1 + last_position
          - row_number() over (partition by subscription_id order by event.position desc)
      from sent_events as event
      join event_targets using (topic) join event_places using (subscription_id)
      where ordered
    )
    select topic as number, 'stored' as outcome, count(*)::int as runs
    from event_targets where (select is_kept from send_limit) group by topic
    union all
    select position::int - 1, outcome, 0 from evaluated where outcome <> 'stored'
