import type { Client } from "pg";
import { type BackupHeader, backupFormat, backupVersion, quoteName } from "./format.ts";

/**
 * Describes everything that a backup contains. Locks the tables first: a week that is dropped
 * between the snapshot and the copy would otherwise be missing without an error. Call it at the
 * beginning of a transaction, before any other query takes its snapshot.
 */
export async function describeDatabase(client: Client, now: Date): Promise<BackupHeader> {
  const names = await listTables(client);
  return {
    format: backupFormat,
    version: backupVersion,
    createdAt: now.toISOString(),
    ...(await readFacts(client)),
    tables: await readColumns(client, await sortByReferences(client, names)),
    weeks: await readWeeks(client),
    sequences: await readSequences(client),
  };
}

/** Every table that isn't a partition, but the history of migrations, which the header has. */
export async function listTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> '_prisma_migrations'
    order by relname`);
  return rows.map(({ name }) => name);
}

/** In a fixed order and with their partitions. LOCK TABLE takes no snapshot. */
export async function lockTables(client: Client, names: readonly string[]): Promise<void> {
  await client.query(`lock table ${names.map(quoteName).join(", ")} in access share mode`);
}

type Facts = Pick<BackupHeader, "serverVersion" | "migrations" | "sealKeyId">;

async function readFacts(client: Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(`
    select current_setting('server_version') as "serverVersion",
      array(select migration_name::text from _prisma_migrations
        where finished_at is not null and rolled_back_at is null order by migration_name) as migrations,
      (select key_id from seal_check limit 1) as "sealKeyId"`);
  const [facts] = rows;
  if (facts === undefined) throw new Error("A query without FROM returns a row");
  return facts;
}

/** Rows can only be inserted after those that they refer to. */
async function sortByReferences(client: Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ from: string; to: string }>(`
    select distinct a.relname as "from", b.relname as "to" from pg_constraint c
    join pg_class a on a.oid = c.conrelid join pg_class b on b.oid = c.confrelid
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and a.oid <> b.oid`);
  const sorted: string[] = [];
  const visiting = new Set<string>();
  const visit = (name: string): void => {
    if (sorted.includes(name)) return;
    if (visiting.has(name)) throw new Error(`${name} refers to itself through other tables`);
    visiting.add(name);
    for (const { from, to } of rows) if (from === name) visit(to);
    sorted.push(name);
  };
  for (const name of names) visit(name);
  return sorted;
}

async function readColumns(
  client: Client,
  names: readonly string[],
): Promise<BackupHeader["tables"]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relname = any ($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname`,
    [names],
  );
  const columns = new Map(rows.map((row) => [row.name, row.columns]));
  return names.map((name) => ({ name, columns: columns.get(name) ?? [] }));
}

async function readWeeks(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ week: string }>(`
    select distinct substring(relname from '_([0-9]{8})$') as week from pg_class
    where relnamespace = current_schema()::regnamespace and relispartition and relkind = 'r'
      and relname ~ '_[0-9]{8}$'
    order by week`);
  return rows.map(({ week }) => week);
}

async function readSequences(client: Client): Promise<BackupHeader["sequences"]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`);
  const sequences: BackupHeader["sequences"] = [];
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quoteName(name)}`,
    );
    for (const value of values) sequences.push({ name, ...value });
  }
  return sequences;
}
