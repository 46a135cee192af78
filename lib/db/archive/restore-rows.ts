import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { errorCode } from "#lib/base/errors.ts";
import type { Week } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { weeklyTables } from "#lib/db/postgres/partitions/partitions.ts";
import { type ArchivedTable, type Column, idsOf, lineFormat } from "./week-rows.ts";

/** Keeps a week until a time, and makes its tables. Retention leaves it alone from then on. */
export async function keepWeek(client: Client, week: Week, until: Date): Promise<void> {
  await client.query(
    `insert into kept_weeks (week, kept_until) values ($1, $2)
     on conflict (week) do update set kept_until = greatest(kept_weeks.kept_until, excluded.kept_until)`,
    [week, until],
  );
  for (const table of weeklyTables) await makePartition(client, table, week);
}

/** Behind a long query, it gives up after a second, so that deliveries don't wait for it. */
async function makePartition(client: Client, table: string, week: Week): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(
        `select ensure_weekly_partitions($1, $2::timestamp at time zone 'UTC', $2::timestamp at time zone 'UTC')`,
        [table, week],
      );
      return;
    } catch (error) {
      if (errorCode(error) !== lockNotAvailable || attempt === maxAttempts) throw error;
      await delay(pauseMs);
    }
  }
}

const lockNotAvailable = "55P03";
const maxAttempts = 30;
const pauseMs = 1_000;

/** Takes a part of an archive: lines of JSON, which are parsed by PostgreSQL alone. */
export async function loadLines(client: Client, lines: Buffer): Promise<void> {
  await client.query("create temp table if not exists archive_lines (line text)");
  await client.query("truncate archive_lines");
  const copy = client.query(copyFrom(`copy archive_lines from stdin ${lineFormat}`));
  await pipeline(Readable.from([lines], { objectMode: false }), copy);
}

/** The weeks of the loaded rows: replays and late attempts are in later ones. */
export async function listLoadedWeeks(client: Client): Promise<readonly Week[]> {
  const { rows } = await client.query<{ week: Week }>(`
    select distinct date_trunc('week', to_timestamp(uuid_v7_ms((line::json ->> 'id')::uuid) / 1000.0) at time zone 'UTC')::date::text
      as week
    from archive_lines order by week`);
  return rows.map(({ week }) => week);
}

/**
 * Stores the loaded rows that the database doesn't have, and that belong to what it has. Those of
 * deleted hooks and accounts stay deleted. A run that was open is canceled: it may have run since.
 *
 * @returns how many were stored
 */
export async function storeLoaded(
  client: Client,
  table: ArchivedTable,
  columns: readonly Column[],
): Promise<number> {
  const result = await client.query(
    table === "queue" ? cancelOpen(columns) : insertRows(table, columns, isWanted[table]),
  );
  return result.rowCount ?? 0;
}

/**
 * Lets hooks be indexed again from a week on if some of its deliveries are stored without their terms:
 * their field search was off when it was archived. The lock is that of the job that indexes.
 */
export async function indexAgain(client: Client, week: Week): Promise<void> {
  const { first, end } = idsOf(week);
  const inWeek = (alias: string) =>
    `${alias}.hook_id = c.hook_id and ${alias}.id >= '${first}' and ${alias}.id < '${end}'`;
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('index_fields'))");
    await client.query(`
      with missing as (
        update field_search_cursors c set covered_until = '${first}'
        where covered_until > '${first}' and (select count(*) from deliveries d where ${inWeek("d")})
          > (select coalesce(sum(t.delivery_count), 0) from delivery_terms t where ${inWeek("t")})
        returning hook_id
      )
      delete from delivery_terms where id >= '${first}' and hook_id in (select hook_id from missing)`);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** Otherwise the first statements would be planned for empty tables. */
export async function analyzeWeeks(client: Client): Promise<void> {
  for (const table of weeklyTables) await client.query(`analyze "${table}"`);
}

function insertRows(table: ArchivedTable, columns: readonly Column[], condition: string): string {
  // An archive that is older than the column doesn't say it, and now would be wrong.
  if ((table === "deliveries" || table === "events") && !columns.some(isStoredAt))
    return insertRows(table, [...columns, storedAt], condition);
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = columns.map(({ name, type }) => {
    if (type === "json") return `r."${name}"::json`;
    if (type === "bytea") return `coalesce(r."${name}", convert_to(r.${name}_text, 'UTF8'))`;
    return `r."${name}"`;
  });
  return `insert into "${table}" (${names}) select ${values.join(", ")}
    from ${loadedRows(columns)} where ${condition} on conflict do nothing`;
}

const storedAt: Column = { name: "stored_at", type: "timestamp with time zone" };
const isStoredAt = ({ name }: Column) => name === storedAt.name;

/** The loaded lines as rows `r`. */
function loadedRows(columns: readonly Column[]): string {
  const fields = columns.flatMap(({ name, type }) => {
    if (type === "json") return [`"${name}" text`];
    return type === "bytea" ? [`"${name}" bytea`, `${name}_text text`] : [`"${name}" ${type}`];
  });
  return `archive_lines cross join lateral json_to_record(line::json) as r(${fields.join(", ")})`;
}

const hasAccount =
  "exists (select from accounts a where a.id = r.account_id and a.deleted_at is null)";
const hasHook = "exists (select from hooks h where h.id = r.hook_id and h.deleted_at is null)";
const hasRun = (id: string) =>
  `(exists (select from runs where runs.id = ${id}) or exists (select from queue where queue.id = ${id}))`;
const isClosed = "not exists (select from queue q where q.id = r.id)";

const isWanted: Readonly<Record<Exclude<ArchivedTable, "queue">, string>> = {
  deliveries: `${hasAccount} and ${hasHook}`,
  events: hasAccount,
  // One that was retried meanwhile is open again.
  runs: `${hasAccount} and (r.hook_id is null or ${hasHook}) and ${isClosed}`,
  attempts: hasRun("r.run_id"),
  run_steps: hasRun("r.id"),
  answers: "exists (select from deliveries d where d.id = r.id)",
  // Others are indexed later, or again: their terms would be in the way.
  delivery_terms: `exists (select from field_search_cursors c join hooks h on h.id = c.hook_id
    where h.id = r.hook_id and h.field_search and c.covered_until > r.last_id)`,
};

const cancelOpen = (columns: readonly Column[]) => `
  insert into runs (id, account_id, target_id, hook_id, delivery_id, event_id, finished_at, attempt_count, has_own_id, state,
    reason_code, reason_detail)
  select id, account_id, target_id, hook_id, delivery_id, event_id, now(), attempt_count, has_own_id, 'cancelled', 'restored',
    'Restored from an archive. It was open when its week was archived. Retry it to run it.'
  from ${loadedRows(columns)} where ${isWanted.runs} on conflict do nothing`;
