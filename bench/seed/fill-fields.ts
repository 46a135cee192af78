import type { Client } from "pg";
import { makePartitions, makeSeedHooks } from "./tables.ts";

type FieldsToFill = {
  readonly count: number;
  /** How many deliveries have the same plan. */
  readonly often: number;
  readonly say: (line: string) => void;
};

const chunkSize = 20_000;
const days = 7;

/**
 * Fills a hook with deliveries like those of Stripe: 24 fields, 9 of them with a value of their own.
 * Its fields are to be indexed, but the worker is told that they are.
 */
export async function fillFields(
  client: Client,
  { count, often, say }: FieldsToFill,
): Promise<{ readonly accountId: string; readonly hookId: string }> {
  await makePartitions(client, days + 7);
  const name = "Many fields";
  const made = await makeSeedHooks(client, { account: "main", name, count: 1, url: "http://a.b/" });
  const hookId = made.hooks[0]?.hookId ?? "";
  await client.query("update hooks set field_search = true where id = $1", [hookId]);
  await moveCursor(client, hookId, true);
  await client.query("set synchronous_commit = off");
  for (let from = 1; from <= count; from += chunkSize) {
    const to = Math.min(count, from + chunkSize - 1);
    const every = Math.max(1, Math.floor(count / often));
    await client.query(insertSql, [made.accountId, hookId, from, to, count, days, every]);
  }
  await client.query("vacuum (analyze) deliveries");
  say(`${count} deliveries`);
  return { accountId: made.accountId, hookId };
}

const insertSql = `
  insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, content_type,
    body_size, body, event_id, event_type, verification_outcome, source_ip)
  select uuid_v7_at(at), $1::uuid, $2::uuid, 'accepted', at, 'POST', '', '', '[]', 'application/json',
    length(body), body, 'evt_' || n, 'invoice.paid', 'not_configured', '127.0.0.1'
  from (
    select n, now() - interval '2 minutes' - $6::int * interval '1 day' * (1 - n::float8 / $5::int) as at,
      convert_to(json_build_object('id', 'evt_' || n, 'object', 'event', 'api_version', '2026-10-28', 'created', 1760000000 + n,
        'livemode', true, 'pending_webhooks', 1, 'type', 'invoice.paid',
        'request', json_build_object('id', 'req_' || md5(n::text), 'idempotency_key', md5('k' || n)),
        'data', json_build_object('object', json_build_object('id', 'in_' || md5('i' || n), 'object', 'invoice', 'currency', 'eur',
          'amount_due', n % 5000, 'amount_paid', n % 5000, 'customer', 'cus_' || n % 100000,
          'plan', case when n % $7::int = 0 then 'often' else 'p' || n % 50 end,
          'number', 'N-' || n, 'charge', 'ch_' || md5('c' || n), 'payment_intent', 'pi_' || md5('p' || n), 'paid', true, 'status', 'paid',
          'hosted_invoice_url', 'https://invoice.example.com/i/' || md5('u' || n), 'attempt_count', 1, 'tax', null)))::text, 'UTF8') as body
    from generate_series($3::int, $4::int) n
  ) made`;

/** Tells the worker that all deliveries of a hook are indexed, or that none is. */
export async function moveCursor(client: Client, hookId: string, isAtEnd: boolean): Promise<void> {
  const until = isAtEnd ? "f" : "0";
  if (!isAtEnd) await client.query("delete from delivery_terms where hook_id = $1", [hookId]);
  await client.query(
    `insert into field_search_cursors (hook_id, covered_until, checked_until, worked_at)
     values ($1, $2, 'ffffffff-ffff-ffff-ffff-ffffffffffff', now())
     on conflict (hook_id) do update set covered_until = excluded.covered_until`,
    [
      hookId,
      `${until.repeat(8)}-${until.repeat(4)}-${until.repeat(4)}-${until.repeat(4)}-${until.repeat(12)}`,
    ],
  );
}

/** True if the index covers the newest delivery of a hook. */
export async function isIndexed(client: Client, hookId: string): Promise<boolean> {
  const { rows } = await client.query<{ done: boolean }>(
    `select covered_until > (
       select id from deliveries where hook_id = $1 and status = 'accepted' order by hook_id desc, status desc, id desc limit 1
     ) as done from field_search_cursors where hook_id = $1`,
    [hookId],
  );
  return rows[0]?.done === true;
}

/** Says what the index of a hook takes, if no other hook has one. */
export async function measureTerms(client: Client, hookId: string): Promise<string> {
  await client.query("vacuum (analyze) delivery_terms");
  const { rows } = await client.query<{ bytes: string; deliveries: string }>(
    `select (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'delivery_terms'::regclass) as bytes,
       (select sum(delivery_count) from delivery_terms where hook_id = $1) as deliveries`,
    [hookId],
  );
  const [bytes, deliveries] = [Number(rows[0]?.bytes), Number(rows[0]?.deliveries)];
  return `${deliveries} indexed, ${(bytes / deliveries).toFixed(0)} bytes a delivery`;
}
