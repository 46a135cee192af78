    with batch as materialized (
      select $1::uuid[] as ids, $2::uuid[] as lease_ids,
        $3::bigint[] as delays, $4::bytea as bytes
    ), input as materialized (
      select t.* from batch cross join unnest(ids, lease_ids, delays) as t(id, lease_id, delay_ms)
    ), outcome as not materialized (
      select t.*, to_timestamp(started_at_ms / 1000) as started_at,
        convert_from(substring(bytes from request_at for request_size), 'UTF8') as request,
        convert_from(substring(bytes from response_at for response_size), 'UTF8') as response
      from batch cross join unnest(ids, delays,
        $5::uuid[], $6::uuid[], $7::uuid[],
        $8::uuid[], $9::uuid[], $10::boolean[],
        $11::text[], $12::text[],
        $13::text[], $14::int[],
        $15::uuid[], $16::float8[],
        $17::int[],
        $18::int[], $19::int[],
        $20::int[], $21::int[],
        $22::text[], $23::text[],
        $24::int[]
      ) as t(id, delay_ms, account_id, target_id, hook_id, delivery_id, event_id, has_own_id, state, reason_code, reason_detail,
        attempt_count, attempt_id, started_at_ms, duration_ms, request_at, request_size, response_at, response_size, error_code,
        error_message, version)
    ), ended as (
      delete from queue q
      where q.ctid = any (array(select ctid from queue where id = any ((select ids from batch)::uuid[]) order by id))
        and ((q.id, q.lease_id) in (select id, lease_id from input where delay_ms is null)) is true
      returning q.id
    ), written as (
      insert into runs (id, account_id, target_id, hook_id, delivery_id, event_id, has_own_id, finished_at, started_at, duration_ms,
        attempt_count, state, reason_code, reason_detail, request, response, error_code, error_message, version)
      select id, account_id, target_id, hook_id, delivery_id, event_id, coalesce(has_own_id, false), now(), started_at, duration_ms,
        attempt_count, state, reason_code, reason_detail, request, response, error_code, error_message, version
      from outcome where (id in (select id from ended)) is true
    ), retries as materialized (
      select * from outcome where delay_ms is not null and (select cardinality(delays) > 0 from batch)
    ), retried as (
      update queue q
      set lease_id = null, leased_until = null, worker_id = null, attempt_count = o.attempt_count, crash_count = 0,
        due_at = now() + o.delay_ms * interval '1 millisecond', reason_code = o.reason_code, reason_detail = o.reason_detail
      from retries o
      where q.ctid = any (array(select ctid from queue where id = any (array(select id from retries)) order by id)) and q.id = o.id
        and ((q.id, q.lease_id) in (select id, lease_id from input where delay_ms is not null)) is true
      returning q.id
    ), tried as (
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_code, error_message)
      select attempt_id, id, account_id, attempt_count, started_at, duration_ms, request::json, response::json, error_code, error_message
      from retries where attempt_id is not null and (id in (select id from retried)) is true
      on conflict do nothing
    )
    select id from input where (id in (select id from ended union all select id from retried)) is not true
