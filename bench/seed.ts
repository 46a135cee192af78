import { parseArgs } from "node:util";
import { Client } from "pg";

/**
 * `node bench/seed.ts --url <DATABASE_URL> [--count 1000000] [--days 25] [--account main]`: creates
 * a hook with a long history, for measuring lists and claims on big tables. Deliveries are spread
 * evenly over the last days. One in a hundred is a duplicate or rejected, and each accepted one has
 * a finished run with one attempt.
 */
const { values } = parseArgs({
  options: {
    url: { type: "string", default: process.env.DATABASE_URL ?? "" },
    count: { type: "string", default: "1000000" },
    days: { type: "string", default: "25" },
    account: { type: "string", default: "main" },
  },
});
const count = Number(values.count);
const days = Number(values.days);
const chunk = 100_000;

const client = new Client({ connectionString: values.url });
await client.connect();
const startedAt = performance.now();
const target = await makeHook();
for (const table of ["deliveries", "attempts"]) {
  await client.query(
    "select ensure_weekly_partitions($1, now() - $2::int * interval '1 day', now())",
    [table, days],
  );
}
for (let from = 1; from <= count; from += chunk) {
  await insertChunk(target, from, Math.min(count, from + chunk - 1));
  process.stdout.write(`${Math.min(count, from + chunk - 1)} of ${count}, ${elapsed()} s\n`);
}
await client.query("vacuum (analyze) deliveries, runs, attempts, dedupe_keys");
process.stdout.write(`done in ${elapsed()} s: hook ${target.hookId}, action ${target.actionId}\n`);
await client.end();

type Target = { readonly accountId: string; readonly hookId: string; readonly actionId: string };

async function makeHook(): Promise<Target> {
  const { rows } = await client.query<Target>(
    `with account as (
      select id from accounts where slug = $1
    ), hook as (
      insert into hooks (id, account_id, key, name, provider, dedupe, event_type, methods)
      select uuid_v7_at(clock_timestamp()), id, 'seed' || encode(uuid_send(gen_random_uuid()), 'hex'), 'A long history', 'generic',
        '[{"from":"body","path":"id"}]', '[{"from":"body","path":"type"}]', '{POST}'
      from account returning id, account_id
    ), action as (
      insert into actions (id, account_id, hook_id, name, request, timeout_ms)
      select uuid_v7_at(clock_timestamp()), account_id, id, 'to nowhere',
        '{"method":"POST","url":"https://example.com/","headers":{},"query":{},"body":null,"bodyText":null}', 15000
      from hook returning id, account_id, hook_id
    )
    select account_id as "accountId", hook_id as "hookId", id as "actionId" from action`,
    [values.account],
  );
  const [made] = rows;
  if (made === undefined) throw new Error(`There is no account ${values.account}`);
  return made;
}

/**
 * One statement per chunk: the rows of all four tables come from the same series, so that they
 * match.
 */
async function insertChunk(
  { accountId, hookId, actionId }: Target,
  from: number,
  to: number,
): Promise<void> {
  await client.query(
    `with series as materialized (
      select n, at, uuid_v7_at(at) as delivery_id, uuid_v7_at(at) as run_id, uuid_v7_at(at) as attempt_id,
        case when n % 200 = 0 then 'rejected' when n % 200 = 100 then 'duplicate' else 'accepted' end as status,
        convert_to(format('{"id":"evt_seed_%s","type":"%s","data":{"object":{"note":"%s"}}}', n,
          (array['invoice.paid','checkout.session.completed','customer.created','charge.failed'])[1 + n % 4], repeat('x', 360)), 'utf8') as body,
        (array['invoice.paid','checkout.session.completed','customer.created','charge.failed'])[1 + n % 4] as type
      from generate_series($4::int, $5::int) n,
        lateral (select now() - $6::int * interval '1 day' * (1 - n::float8 / $7::int) as at) spread
    ), keyed as (
      insert into dedupe_keys (hook_id, key_hash, delivery_id, created_at)
      select $2::uuid, sha256(convert_to($2::text || n, 'utf8')), delivery_id, at from series where status = 'accepted'
    ), delivered as (
      insert into deliveries (id, account_id, hook_id, status, reason, received_at, method, path, query, headers, content_type,
        body_size, body, event_id, event_type, verification_outcome, source_ip)
      select delivery_id, $1::uuid, $2::uuid, status, case when status = 'rejected' then 'signature_mismatch' end, at, 'POST', '', '',
        '[["content-type","application/json"]]', 'application/json', length(body), body, 'evt_seed_' || n, type,
        'not_configured', '127.0.0.1'
      from series
    ), ran as (
      insert into runs (id, account_id, target_id, hook_id, delivery_id, action_id, state, reason_code, reason_detail, attempt_count, due_at, created_at, finished_at)
      select run_id, $1::uuid, $3::uuid, $2::uuid, delivery_id, $3::uuid,
        case when n % 50 = 1 then 'failed' else 'succeeded' end, case when n % 50 = 1 then 'http_400' end,
        case when n % 50 = 1 then 'The receiver refused it.' end,
        1, at, at, at + interval '20 ms'
      from series where status = 'accepted'
    )
    insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response)
    select attempt_id, run_id, $1::uuid, 1, at, 12,
      '{"method":"POST","url":"https://example.com/","headers":[],"body":null,"bodyTruncated":false}',
      case when n % 50 = 1 then '{"status":400,"headers":[],"body":"","truncated":false}'::json
        else '{"status":200,"headers":[],"body":"ok","truncated":false}'::json end
    from series where status = 'accepted'`,
    [accountId, hookId, actionId, from, to, days, count],
  );
}

function elapsed(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}
