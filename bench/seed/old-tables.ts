import type { Client } from "pg";
import { newId } from "#lib/base/ids.ts";

/** The first migration of the version whose tables `fillOldTables` does not know. */
export const firstNewMigration = "20261122100000_queue";

type OldRows = {
  /** The number of runs, each with a delivery and a dedupe key. */
  readonly runs: number;
  /** The number of runs that wait. The others have one attempt each. */
  readonly open: number;
  /** The number of ended runs whose code and sentence are still in one column. */
  readonly oldReasons: number;
  readonly days: number;
};

const hooks = 50;
const chunkSize = 50_000;

/** Inserts rows of the last version with one table of runs, as that version wrote them. */
export async function fillOldTables(client: Client, rows: OldRows): Promise<void> {
  const accountId = newId();
  await client.query("insert into accounts (id, slug, name) values ($1, 'main', 'main')", [
    accountId,
  ]);
  await client.query(
    `with hook as (
      insert into hooks (id, account_id, key, name, provider, methods)
      select uuid_v7_at(clock_timestamp()), $1, 'k' || n, 'Hook ' || n, 'generic', '{POST}' from generate_series(1, ${hooks}) n
      returning id, account_id
    )
    insert into actions (id, account_id, hook_id, name, request, timeout_ms)
    select uuid_v7_at(clock_timestamp()), account_id, id, 'to nowhere', '{"method":"POST","url":"https://example.com/"}', 15000 from hook`,
    [accountId],
  );
  for (const table of ["deliveries", "attempts"]) {
    await client.query(
      "select ensure_weekly_partitions($1, now() - $2::int * interval '1 day', now())",
      [table, rows.days],
    );
  }
  await client.query("set synchronous_commit = off");
  for (let from = 1; from <= rows.runs; from += chunkSize) {
    const to = Math.min(rows.runs, from + chunkSize - 1);
    await client.query(chunkSql, [
      accountId,
      from,
      to,
      rows.days,
      rows.runs,
      rows.runs - rows.open,
      rows.oldReasons,
    ]);
  }
  await client.query("vacuum analyze");
}

const chunkSql = `with target as (
    select array_agg(hook_id) as hook_ids, array_agg(id) as action_ids from actions where account_id = $1
  ), series as materialized (
    select n, now() - $4::int * interval '1 day' * (1 - n::float8 / $5::int) as at,
      uuid_v7_at(now() - $4::int * interval '1 day' * (1 - n::float8 / $5::int)) as delivery_id,
      uuid_v7_at(now() - $4::int * interval '1 day' * (1 - n::float8 / $5::int)) as run_id,
      hook_ids[1 + n % ${hooks}] as hook_id, action_ids[1 + n % ${hooks}] as action_id, n > $6::int as is_open, n % 20 = 1 as is_failed,
      convert_to(format('{"id":"evt_%s","type":"invoice.paid","data":{"object":{"note":"%s"}}}', n, repeat('x', 360)), 'utf8') as body
    from target, generate_series($2::int, $3::int) n
  ), keyed as (
    insert into dedupe_keys (hook_id, key_hash, delivery_id, created_at)
    select hook_id, sha256(convert_to(n::text, 'utf8')), delivery_id, at from series
  ), delivered as (
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, content_type, body_size, body,
      event_id, event_type, verification_outcome, source_ip)
    select delivery_id, $1, hook_id, 'accepted', at, 'POST', '', '', '[["content-type","application/json"]]', 'application/json',
      length(body), body, 'evt_' || n, 'invoice.paid', 'not_configured', '127.0.0.1'
    from series
  ), tried as (
    insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response)
    select uuid_v7_at(at), run_id, $1, 1, at, 12,
      '{"method":"POST","url":"https://example.com/","headers":[["content-type","application/json"]],"body":"{}","bodyTruncated":false}',
      '{"status":200,"headers":[["content-type","application/json"]],"body":"ok","truncated":false}'
    from series where not is_open
  )
  insert into runs (id, account_id, target_id, hook_id, delivery_id, action_id, state, due_at, created_at, finished_at, attempt_count,
    reason, reason_code, reason_detail)
  select run_id, $1, action_id, hook_id, delivery_id, action_id,
    case when is_open then 'queued' when is_failed then 'failed' else 'succeeded' end, at, at,
    case when not is_open then at + interval '20 ms' end, case when is_open then 0 else 1 end,
    case when is_failed and not is_open and n <= 20 * $7::int then 'http_400: The receiver answered with 400.' end,
    case when is_failed and not is_open and n > 20 * $7::int then 'http_400' end,
    case when is_failed and not is_open and n > 20 * $7::int then 'The receiver answered with 400.' end
  from series`;
