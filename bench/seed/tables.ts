import type { Client } from "pg";

/**
 * Everything that the benchmarks know about tables. The rest of their work uses the API and the
 * pages.
 */

/** The statements of the hot path, in the order of a delivery's life. */
export const statementKinds = ["store", "claim", "load", "finish", "other"] as const;
export type StatementKind = (typeof statementKinds)[number];

const marks: readonly (readonly [StatementKind, RegExp])[] = [
  ["store", /insert into deliveries\b/],
  ["finish", /insert into (?:attempts|runs)\b/],
  ["claim", /set\s+lease_id = \$/],
  ["load", /from deliveries where id = any/],
];

export function kindOfStatement(sql: string): StatementKind {
  return marks.find(([, mark]) => mark.test(sql))?.[0] ?? "other";
}

/** Runs of these actions that are not finished, also in versions without a queue of their own. */
export async function countOpenRuns(client: Client, actionIds: readonly string[]): Promise<number> {
  const { rows: tables } = await client.query<{ hasQueue: boolean }>(
    `select to_regclass('queue') is not null as "hasQueue"`,
  );
  const open = tables[0]?.hasQueue ? "queue" : "(select * from runs where finished_at is null)";
  const { rows } = await client.query<{ open: number }>(
    // A row comparison follows the order of an index. Otherwise the planner may read a million
    // other runs.
    `select coalesce(sum(own.open), 0)::int as open from actions a
    cross join lateral (
      select count(*) as open from (
        select from ${open} r
        where (account_id, target_id) >= (a.account_id, a.id) and (account_id, target_id) <= (a.account_id, a.id)
        order by account_id, target_id offset 0
      ) found
    ) own
    where a.id = any ($1::uuid[])`,
    [actionIds],
  );
  return rows[0]?.open ?? 0;
}

/** Tables with weekly partitions. */
const partitionedTables = ["deliveries", "runs"];
const filledTables = ["deliveries", "runs", "queue", "dedupe_keys"];

type SeedHook = { readonly hookId: string; readonly actionId: string };

/** Creates hooks with one action each, named after the text and a number. */
export async function makeSeedHooks(
  client: Client,
  { account, name, count, url }: HooksToMake,
): Promise<{ readonly accountId: string; readonly hooks: readonly SeedHook[] }> {
  const request = { method: "POST", url, headers: {}, query: {}, body: null, bodyText: null };
  const { rows } = await client.query<SeedHook & { accountId: string }>(
    `with account as (
      select id from accounts where slug = $1
    ), hook as (
      insert into hooks (id, account_id, key, name, provider, dedupe, event_type, methods)
      select uuid_v7_at(clock_timestamp()), id, 'seed' || encode(uuid_send(gen_random_uuid()), 'hex'),
        $2 || ' ' || n, 'generic', '[{"from":"body","path":"id"}]', '[{"from":"body","path":"type"}]', '{POST}'
      from account, generate_series(1, $3::int) n
      returning id, account_id
    ), action as (
      insert into actions (id, account_id, hook_id, name, request, timeout_ms, max_concurrency)
      select uuid_v7_at(clock_timestamp()), account_id, id, 'to nowhere', $4::json, 30000, 1
      from hook returning id, account_id, hook_id
    )
    select account_id as "accountId", hook_id as "hookId", id as "actionId" from action`,
    [account, name, count, JSON.stringify(request)],
  );
  const [first] = rows;
  if (first === undefined) throw new Error(`There is no account ${account}`);
  return { accountId: first.accountId, hooks: rows };
}

type HooksToMake = {
  readonly account: string;
  readonly name: string;
  readonly count: number;
  /** The URL that their actions send to. */
  readonly url: string;
};

export async function makePartitions(client: Client, days: number): Promise<void> {
  for (const table of partitionedTables) {
    await client.query(
      "select ensure_weekly_partitions($1, now() - $2::int * interval '1 day', now())",
      [table, days],
    );
    // The product can't purge partitions of a superuser.
    await client.query(
      `do $$ declare part regclass;
      begin
        for part in select inhrelid::regclass from pg_inherits where inhparent = '${table}'::regclass loop
          execute format('alter table %s owner to %I', part, (select pg_get_userbyid(relowner) from pg_class where oid = '${table}'::regclass));
        end loop;
      end $$`,
    );
  }
}

/**
 * Drops the indexes that no constraint needs and that of the dedupe keys, because building them at
 * the end takes half as long as keeping them up to date.
 *
 * @returns the statements that create them again
 */
export async function dropIndexes(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid = any ($1::regclass[])
      and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by 1`,
    [partitionedTables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  const key = "constraint dedupe_keys_pkey";
  await client.query(`alter table dedupe_keys drop ${key}`);
  // For a partitioned table, PostgreSQL describes the index without its partitions.
  const statements = rows.map(({ definition }) => definition.replace(" ON ONLY ", " ON "));
  return [`alter table dedupe_keys add ${key} primary key (key)`, ...statements];
}

/** Inserts a chunk of keys whose deliveries are gone, oldest first. */
export async function insertKeys(
  client: Client,
  { from, to, count, days }: Pick<Chunk, "from" | "to" | "count" | "days">,
): Promise<void> {
  await client.query(
    `insert into dedupe_keys (key, delivery_id, created_at)
    select key, key, now() - $3::int * interval '1 day' * (1 - n::float8 / $4::int)
    from generate_series($1::int, $2::int) n cross join lateral (select md5(n::text)::uuid as key) made`,
    [from, to, days, count],
  );
}

/** One statement per table, so that they can run side by side. */
export const vacuumStatements = filledTables.map((table) => `vacuum (analyze) ${table}`);

/** Changes the URL that the actions of these hooks send to. */
export async function sendTo(client: Client, hookName: string, url: string): Promise<void> {
  await client.query(
    `update actions a set request = (a.request::jsonb || jsonb_build_object('url', $2::text))::json
    from hooks h where h.id = a.hook_id and h.name like $1 || ' %'`,
    [hookName, url],
  );
}

export type Chunk = {
  readonly accountId: string;
  readonly hooks: readonly SeedHook[];
  readonly from: number;
  readonly to: number;
  /** The number of deliveries in all chunks, which share the days evenly. */
  readonly count: number;
  readonly days: number;
  /** True if the runs are still queued. Otherwise all are finished. */
  readonly isOpen: boolean;
};

/**
 * Inserts a chunk with one statement: the rows of all tables come from the same series, so that
 * they match. One delivery in a hundred is a duplicate or rejected. One run in fifty failed.
 */
export async function insertChunk(client: Client, chunk: Chunk): Promise<void> {
  const { accountId, hooks, from, to, count, days, isOpen } = chunk;
  const runs = isOpen ? openRunsSql : finishedRunsSql;
  await client.query(`with ${seriesSql}, ${deliveriesSql}${runs}`, [
    accountId,
    hooks.map(({ hookId }) => hookId),
    hooks.map(({ actionId }) => actionId),
    from,
    to,
    days,
    count,
  ]);
}

const seriesSql = `numbered as (
    select n, 1 + abs(hashint4(n)::bigint) % cardinality($2::uuid[]) as place,
      now() - $6::int * interval '1 day' * (1 - n::float8 / $7::int) as at,
      (array['invoice.paid','checkout.session.completed','customer.created','charge.failed'])[1 + n % 4] as type
    from generate_series($4::int, $5::int) n
  ), series as materialized (
    select n, at, type, ($2::uuid[])[place] as hook_id, ($3::uuid[])[place] as action_id,
      uuid_v7_at(at) as delivery_id,
      case when n % 200 = 0 then 'rejected' when n % 200 = 100 then 'duplicate' else 'accepted' end as status,
      convert_to(format('{"id":"evt_seed_%s","type":"%s","data":{"object":{"note":"%s"}}}', n, type, repeat('x', 360)), 'utf8') as body
    from numbered
  )`;

const deliveriesSql = `keyed as (
    insert into dedupe_keys (key, delivery_id, created_at)
    select md5(hook_id::text || n)::uuid, delivery_id, at from series where status = 'accepted'
  ), delivered as (
    insert into deliveries (id, account_id, hook_id, status, reason, received_at, method, path, query, headers, content_type,
      body_size, body, event_id, event_type, verification_outcome, source_ip)
    select delivery_id, $1::uuid, hook_id, status, case when status = 'rejected' then 'signature_mismatch' end, at, 'POST', '', '',
      '[["content-type","application/json"]]', 'application/json', length(body), body, 'evt_seed_' || n, type,
      'not_configured', '127.0.0.1'
    from series
  )`;

const openRunsSql = ` insert into queue (id, account_id, target_id, hook_id, delivery_id, body_size, due_at)
  select run_id(delivery_id, 0), $1::uuid, action_id, hook_id, delivery_id, length(body), at from series where status = 'accepted'`;

const finishedRunsSql = ` insert into runs (id, account_id, target_id, hook_id, delivery_id, state, reason_code, reason_detail,
    attempt_count, finished_at, started_at, duration_ms, request, response)
  select run_id(delivery_id, 0), $1::uuid, action_id, hook_id, delivery_id,
    case when n % 50 = 1 then 'failed' else 'succeeded' end, case when n % 50 = 1 then 'http_400' end,
    case when n % 50 = 1 then 'The receiver rejected it.' end, 1, at + interval '20 ms', at, 12,
    '{"method":"POST","url":"https://example.com/","headers":[],"body":null,"bodyTruncated":false}',
    case when n % 50 = 1 then '{"status":400,"headers":[],"body":"","truncated":false}'
      else '{"status":200,"headers":[],"body":"ok","truncated":false}' end
  from series where status = 'accepted'`;

/** True if the statistics have counted everything that is stored. */
export async function isCounted(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ done: boolean }>(
    `select (select min(hour) from statistics_hours) <= (select received_at from deliveries order by id limit 1)
      and not exists (select from statistics_hours where recount_at < now()) as done`,
  );
  return rows[0]?.done === true;
}

/** Rows that pages are opened for. */
export type PageRows = {
  readonly hook: string;
  readonly action: string;
  /** The newest delivery. */
  readonly delivery: string;
  /** The 60th from the end of each list. */
  readonly oldDelivery: string;
  readonly oldRun: string;
  /** The subscription whose sends failed, and its last event. */
  readonly subscription: string;
  readonly event: string;
};

export async function findPageRows(client: Client): Promise<PageRows> {
  const { rows } = await client.query<PageRows>(
    `with newest as (select id, hook_id from deliveries order by id desc limit 1)
    select newest.id as delivery, newest.hook_id as hook, (select id from actions where hook_id = newest.hook_id limit 1) as action,
      (select id from deliveries order by id offset 60 limit 1) as "oldDelivery", (select id from runs order by id offset 60 limit 1) as "oldRun",
      (select id from subscriptions limit 1) as subscription, (select public_id from events order by id desc limit 1) as event
    from newest`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("There is no delivery.");
  return row;
}

export async function findHook(client: Client, name: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    "select id from hooks where name = $1 and deleted_at is null",
    [name],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no hook ${name}.`);
  return row.id;
}

/** Counts the hook itself, its deliveries, and its runs. */
export async function countOfHook(client: Client, hookId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select (select count(*) from hooks where id = $1) + (select count(*) from deliveries where hook_id = $1)
      + (select count(*) from runs r join actions a on a.id = r.target_id where a.hook_id = $1) as count`,
    [hookId],
  );
  return Number(rows[0]?.count);
}
