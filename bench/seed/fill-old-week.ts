import type { Client } from "pg";
import { makePartitions, makeSeedHooks } from "./tables.ts";

type OldWeek = {
  readonly count: number;
  /** How many days ago its last delivery arrived. */
  readonly daysAgo: number;
};

const chunkSize = 20_000;

/** Fills a few hours of the past with deliveries like those of Stripe, a run for each, and attempts for every tenth. */
export async function fillOldWeek(client: Client, { count, daysAgo }: OldWeek): Promise<void> {
  await makePartitions(client, daysAgo + 7);
  const name = "An old week";
  const made = await makeSeedHooks(client, { account: "main", name, count: 1, url: "http://a.b/" });
  await client.query("set synchronous_commit = off");
  for (let from = 1; from <= count; from += chunkSize) {
    const to = Math.min(count, from + chunkSize - 1);
    await client.query(insertSql, [made.accountId, made.hooks[0]?.hookId, from, to, daysAgo]);
  }
  await client.query("vacuum (analyze) deliveries, runs, attempts");
}

const insertSql = `
  with made as (
    select n, now() - $5::int * interval '1 day' - n * interval '100 ms' as at,
      convert_to(json_build_object('id', 'evt_' || n, 'object', 'event', 'api_version', '2026-10-28', 'type', 'invoice.paid',
        'request', json_build_object('id', 'req_' || md5(n::text), 'idempotency_key', md5('k' || n)),
        'data', json_build_object('object', json_build_object('id', 'in_' || md5('i' || n), 'amount_due', n % 5000, 'currency', 'eur',
          'customer', 'cus_' || n % 100000, 'charge', 'ch_' || md5('c' || n), 'payment_intent', 'pi_' || md5('p' || n), 'paid', true,
          'hosted_invoice_url', 'https://invoice.example.com/i/' || md5('u' || n), 'tax', null)))::text, 'UTF8') as body
    from generate_series($3::int, $4::int) n
  ), delivered as (
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, content_type,
      body_size, body, event_id, event_type, verification_outcome, source_ip, stored_at)
    select uuid_v7_at(at), $1::uuid, $2::uuid, 'accepted', at, 'POST', '', '',
      json_build_array(json_build_array('content-type', 'application/json'), json_build_array('stripe-signature', 't=1,v1=' || md5('s' || n))),
      'application/json', length(body), body, 'evt_' || n, 'invoice.paid', 'verified', '192.0.2.1', at
    from made returning id, account_id, hook_id, received_at, body, event_id
  ), run as (
    insert into runs (id, account_id, target_id, hook_id, delivery_id, state, finished_at, started_at, duration_ms, attempt_count, request, response)
    select run_id(id, 0), account_id, hook_id, hook_id, id, 'succeeded', received_at, received_at, 12, 1,
      json_build_object('method', 'POST', 'url', 'http://a.b/', 'body', convert_from(body, 'UTF8'))::text, '{"status":200,"headers":[],"body":"ok"}'
    from delivered returning id, account_id, started_at, request
  )
  insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, error_code)
  select uuid_v7_at(started_at), id, account_id, 1, started_at, 12, request::json, 'timeout' from run
  where get_byte(uuid_send(id), 15) % 10 = 0`;
