import type { Client } from "pg";
import { connectTo } from "#e2e/harness/connect-to.ts";
import type { Dashboard } from "../harness/dashboard.ts";

type Series = {
  readonly hookId: string;
  readonly actionId: string;
  readonly isSigned: boolean;
  readonly types: readonly string[];
  readonly perDay: number;
  /** The share of its runs that failed. */
  readonly failing: number;
};

/**
 * Seeds two weeks of history: more by day than by night, the same at every run except for the
 * clock.
 */
export async function seedHistory({ server }: Dashboard, series: readonly Series[]): Promise<void> {
  await using client = await connectTo(server.databaseUrl());
  // What it makes belongs to the server, which drops old weeks.
  await client.query("set role catchment_app");
  // Each in its own transaction: together, they could wait for a reader of both that waits for them.
  for (const table of ["deliveries", "runs"])
    await client.query(
      `select ensure_weekly_partitions($1, now() - interval '${days} days', now())`,
      [table],
    );
  await insertHistory(client, async () => {
    for (const { hookId, actionId, isSigned, types, perDay, failing } of series) {
      const values = [hookId, actionId, perDay * days, failing, types, isSigned];
      await client.query(insertSeries, values);
    }
  });
}

const days = 14;

const insertSeries = `
  with hook as (
    select account_id from hooks where id = $1::uuid
  ), series as materialized (
    select n, at, uuid_v7_at(at) as delivery_id,
      case when n % 41 = 0 then 'rejected' when n % 29 = 0 then 'duplicate' else 'accepted' end as status,
      chance(n, 2) < $4::float8 as is_failed, 20 + (chance(n, 3) * 180)::int as ms,
      ($5::text[])[1 + n % cardinality($5::text[])] as type
    from generate_series(1, $3::int) n,
      lateral (select now() - interval '3 minutes' - interval '${days} days' * chance(n, 1) as at) spread
    where chance(n, 4) < 0.25 + 0.75 * sin(pi() * extract(hour from at) / 24)
  ), delivered as (
    insert into deliveries (id, account_id, hook_id, status, reason, detail, received_at, method, path, query, headers,
      content_type, body_size, body, event_id, event_type, verification_outcome, source_ip)
    select delivery_id, account_id, $1::uuid, status,
      case when status <> 'rejected' then null when $6::boolean then 'signature_mismatch' else 'invalid_json' end,
      case when status <> 'rejected' then null when $6::boolean then 'The signature does not match the body.'
        else 'The body isn''t valid JSON, although its Content-Type says so.' end, at, 'POST', '', '',
      '[["content-type","application/json"]]', 'application/json', length(body), body, event_id, type,
      case when not $6::boolean then 'not_configured' when status = 'rejected' then 'failed' else 'verified' end,
      '203.0.113.7'
    from series, hook,
      lateral (select 'evt_' || substr(md5(n::text), 1, 12) as event_id) named,
      lateral (select convert_to(format(
        '{"id":"%s","type":"%s","data":{"object":{"customer_email":"%s@example.com","amount_total":%s,"currency":"eur"}%s',
        event_id, type, (array['ada','bob','eve','grace','linus','mary'])[1 + n % 6], 100 * (9 + n % 90),
        -- A body that isn't JSON ends early.
        case when status = 'rejected' and not $6::boolean then '' else '}}' end
      ), 'UTF8') as body) written
  )
  insert into runs (id, account_id, target_id, hook_id, delivery_id, state, reason_code, reason_detail,
    attempt_count, finished_at, started_at, duration_ms, request, response)
  select run_id(delivery_id, 0), account_id, $2::uuid, $1::uuid, delivery_id,
    case when is_failed then 'failed' else 'succeeded' end,
    case when is_failed then 'not_retried' end,
    case when is_failed then 'The receiver responded with 422; this is not retried' end, 1,
    at + ms * interval '1 ms', at + interval '8 ms', ms,
    '{"method":"POST","url":"https://crm.example.com/people","headers":[],"body":null,"bodyTruncated":false}',
    format('{"status":%s,"headers":[],"body":"","truncated":false}', case when is_failed then 422 else 200 end)
  from series, hook where status = 'accepted'`.replace(
  /chance\(n, (\d)\)/g,
  // A number from 0 to 1, the same for the same n.
  (_, seed) => `((hashint8extended(n, ${seed}) & 65535) / 65535.0)`,
);

const statistics = [
  "statistics_hours",
  "delivery_statistics",
  "run_statistics",
  "wait_statistics",
  "hook_days",
  "statistics_days",
];

/**
 * Stores deliveries and runs of the past, and has their hours counted. The roll-up waits meanwhile:
 * halfway through, each could wait for the other.
 */
export async function insertHistory(client: Client, insert: () => Promise<void>): Promise<void> {
  await client.query("begin");
  await client.query("select pg_advisory_xact_lock(hashtext('roll_up_statistics'))");
  await insert();
  // Existing counts don't include these hours.
  for (const table of statistics) await client.query(`delete from ${table}`);
  await client.query("commit");
}
