import { archivedTables } from "#lib/db/archive/week-rows.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { Week } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { weeklyTables } from "#lib/db/postgres/partitions/partitions.ts";
import { addAction, addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { endRuns } from "#lib/db/testing/test-runs.ts";

const weekMs = 7 * 86_400_000;

/** The Monday of so many weeks ago. */
export function weeksAgo(count: number): Week {
  const now = Date.now() - count * weekMs;
  const firstMonday = 4 * 86_400_000;
  return new Date(now - ((now - firstMonday) % weekMs)).toISOString().slice(0, 10);
}

export type FilledWeek = { readonly hook: TestHook; readonly actionId: string };

/** Partitions of every table from a week on. A table of a week takes PostgreSQL 4 ms. */
export async function addPartitions(db: Database, week: Week, until: Date): Promise<void> {
  for (const table of weeklyTables)
    await db.$queryRaw`select ensure_weekly_partitions(${table}, ${new Date(week)}, ${until})`;
}

/**
 * A week with everything that can hang on its deliveries and events, also in later weeks: replays with
 * their attempts and steps, attempts days later, and runs that are still open.
 */
export async function fillWeek(db: Database, week: Week, count = 40): Promise<FilledWeek> {
  const hook = await addHook(db, { fieldSearch: true });
  const actionId = await addAction(db, hook);
  const { accountId } = hook;
  await addPartitions(db, week, new Date(new Date(week).getTime() + 2 * weekMs));
  const bodies = [
    '{"id":1,"total":123456789012345678901234567890.10}',
    "",
    "Grüße, 世界 \\u0000 \\\\\n\t",
  ];
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, content_type, body_size, body,
      event_id, verification_outcome, source_ip, is_sample, stored_at)
    select uuid_v7_at(at), ${accountId}::uuid, ${hook.id}::uuid, 'accepted', at, 'POST', '/', 'a=%20', ${`[["x",\n "\\u00fc é"]]`}::json, 'text/plain',
      octet_length(body), body, 'evt_' || n, 'verified', '192.0.2.1', n % 7 = 0, at
    from (select n, ${new Date(week)}::timestamptz + n * interval '3 minutes' as at,
      case n % 5 when 0 then '\\x00ff80'::bytea when 1 then decode('efbbbf7b7d', 'hex') else convert_to((${bodies}::text[])[1 + n % 3], 'UTF8') end as body
      from generate_series(1, ${count}::int) n) made`;
  await db.$executeRaw`
    insert into events (id, account_id, public_id, type, body, stored_at)
    select uuid_v7_at(${new Date(week)}::timestamptz + n * interval '1 hour'), ${accountId}::uuid, 'evt_' || n, 'invoice.paid',
      convert_to('{"n":' || n || '}', 'UTF8'), ${new Date(week)}::timestamptz + n * interval '1 hour' from generate_series(1, 9) n`;
  const columns =
    "id, account_id, target_id, hook_id, delivery_id, event_id, finished_at, has_own_id, state, request, attempt_count";
  await db.$executeRawUnsafe(
    `insert into runs (${columns})
     select run_id(id, 0), account_id, $1::uuid, hook_id, id, null, received_at + interval '1.234 s', false, 'succeeded', '{"a":"\\n"}', 1
       from deliveries where account_id = $2::uuid
     union all
     select run_id(id, 0), account_id, $1::uuid, null, null, id, now(), false, 'failed', null, 2 from events where account_id = $2::uuid
     union all
     select uuid_v7_at($3::timestamptz + interval '12 days'), account_id, $1::uuid, hook_id, id, null, now(), true, 'succeeded', null, 1
       from deliveries where account_id = $2::uuid and event_id in ('evt_3', 'evt_4')
     union all
     select uuid_v7_at($3::timestamptz + interval '13 days'), account_id, $1::uuid, null, null, id, now(), true, 'cancelled', null, 0
       from events where account_id = $2::uuid and public_id = 'evt_2'`,
    actionId,
    accountId,
    new Date(week),
  );
  await db.$executeRaw`
    insert into queue (id, account_id, target_id, hook_id, delivery_id, due_at, has_own_id)
    select run_id(id, 1), account_id, ${actionId}::uuid, hook_id, id, now() + interval '1 day', false
      from deliveries where account_id = ${accountId}::uuid and event_id = 'evt_5'
    union all
    select uuid_v7_at(${new Date(week)}::timestamptz + interval '14 days'), account_id, ${actionId}::uuid, hook_id, id, now() + interval '1 day', true
      from deliveries where account_id = ${accountId}::uuid and event_id = 'evt_6'`;
  await db.$executeRaw`
    insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response)
    select uuid_v7_at(at), id, account_id, n, at, 12, '{"method":"POST",
 "body":"a\\u0000b\\u2028"}', null
    from runs cross join generate_series(1, 2) n
    cross join lateral (select to_timestamp(uuid_v7_ms(id) / 1000.0) + (n - 1) * interval '9 days' + interval '1 s' as at) times
    where account_id = ${accountId}::uuid`;
  await db.$executeRaw`
    insert into run_steps (id, account_id, key, item, state, started_at, result)
    select id, account_id, 'call', -1, 'succeeded', now(), '{"status":200}' from runs where account_id = ${accountId}::uuid
    union all select id, account_id, 'wait', -1, 'waiting', now(), null from queue where account_id = ${accountId}::uuid`;
  await db.$executeRaw`
    insert into answers (id, account_id, status, headers, body, sent_as)
    select id, account_id, 200, '[]', '{"ok":true}', 'answer' from deliveries where account_id = ${accountId}::uuid and is_sample`;
  await db.$executeRaw`
    with covered as (
      insert into field_search_cursors (hook_id, covered_until, checked_until, worked_at)
      values (${hook.id}::uuid, uuid_v7_floor(now()), uuid_v7_floor(now()), now())
    )
    insert into delivery_terms (id, hook_id, last_id, delivery_count, terms)
    select min(id::text)::uuid, ${hook.id}::uuid, max(id::text)::uuid, count(*), array[1, -2147483648, 7]
    from deliveries where account_id = ${accountId}::uuid`;
  return { hook, actionId };
}

/** Ends the runs that are still open, which would outlive their week. */
export async function endOpenRuns(db: Database): Promise<void> {
  const open = await db.queuedRun.findMany({ select: { id: true } });
  await endRuns(
    db,
    open.map(({ id }) => id),
    { state: "succeeded" },
  );
}

export type Fingerprints = Readonly<
  Record<string, { readonly rows: number; readonly hash: string }>
>;

/** The number of rows of each table, and a hash of all their columns. */
export async function readFingerprints(db: Database): Promise<Fingerprints> {
  const prints: Record<string, { rows: number; hash: string }> = {};
  for (const table of archivedTables) {
    const [row] = await db.$queryRawUnsafe<{ rows: number; hash: string }[]>(
      `select count(*)::int as rows, md5(coalesce(string_agg(hash, '' order by hash), '')) as hash
       from (select md5(t::text) as hash from ${table} t) hashes`,
    );
    prints[table] = row ?? { rows: 0, hash: "" };
  }
  return prints;
}
