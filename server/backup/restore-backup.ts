import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { holdRestored } from "#lib/db/runs/hold-restored.ts";
import { checkDatabase } from "#server/database/check-database.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { type Migration, migrate, readMigrations } from "#server/database/migrate.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { StartError } from "#server/system/start-error.ts";
import { listTables } from "./describe-database.ts";
import { type BackupHeader, type BackupManifest, copySettings, quoteName } from "./format.ts";
import type { BackupFile } from "./read-backup.ts";

type RestoreOptions = {
  /** The URL of an empty database. */
  readonly url: string;
  readonly backup: BackupFile;
  /** Leaves open runs in the queue: for a database that nothing has run from since the backup. */
  readonly continueRuns: boolean;
};

export type Restored = {
  readonly manifest: BackupManifest;
  /** Open runs that now wait for a person to retry them. */
  readonly heldRuns: number;
  /** Migrations that are newer than the backup. */
  readonly appliedLater: readonly string[];
};

/**
 * Restores a backup into an empty database, all of it or nothing: the migrations of the backup, its
 * rows in one transaction, and then the migrations since.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { url, backup, continueRuns } = options;
  const all = readMigrations(migrationsFolder);
  const known = requireKnown(backup.header, all);
  return await withConnection(url, async (client) => {
    await checkDatabase(client, url);
    await requireEmpty(client);
    await migrate({ url, client, migrations: known });
    await client.query(copySettings);
    const { manifest, heldRuns } = await inTransaction(client, async () => {
      const loaded = await load(client, backup);
      return { manifest: loaded, heldRuns: continueRuns ? 0 : await hold(client) };
    });
    const appliedLater = await migrate({ url, client, migrations: all });
    // Otherwise the first statements would be planned for empty tables.
    await client.query("analyze");
    return { manifest, heldRuns, appliedLater };
  });
}

function requireKnown(header: BackupHeader, all: readonly Migration[]): Migration[] {
  const names = new Set(header.migrations);
  const known = all.filter(({ name }) => names.has(name));
  if (known.length === names.size) return known;
  const unknown = header.migrations.filter((name) => !all.some((one) => one.name === name));
  throw new StartError(
    `The backup is of a newer version (it has the migration ${unknown.at(-1)}): restore it with that version.`,
  );
}

/** Every database that was ever started has a row in the first one. Migrations fill others. */
const startedTables = ["seal_check", "accounts", "users", "deliveries"];

async function requireEmpty(client: Client): Promise<void> {
  const names = await listTables(client);
  for (const name of startedTables.filter((one) => names.includes(one))) {
    const { rows } = await client.query<{ found: boolean }>(
      `select exists (select from ${quoteName(name)}) as found`,
    );
    if (rows[0]?.found === true)
      throw new StartError(
        `The database isn't empty (${name} has rows): restore into a new database or data folder.`,
      );
  }
}

async function inTransaction<T>(client: Client, run: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    const result = await run();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

async function load(client: Client, backup: BackupFile): Promise<BackupManifest> {
  const { header } = backup;
  await requireColumns(client, header);
  const triggered = await listTriggered(client);
  const toggle = (word: "enable" | "disable") => async (name: string) => {
    await client.query(`alter table ${quoteName(name)} ${word} trigger user`);
  };
  // Rows are stored as they were, and not as a trigger would have them today.
  for (const name of triggered) await toggle("disable")(name);
  // Rows that migrations made are in the backup too.
  const names = await listTables(client);
  await client.query(`truncate ${names.map(quoteName).join(", ")}`);
  await makeWeeks(client, header);
  const manifest = await backup.readTables((table, parts) => copyInto(client, table, parts));
  for (const { name, lastValue, isCalled } of header.sequences)
    await client.query("select setval($1::regclass, $2::bigint, $3)", [
      quoteName(name),
      lastValue,
      isCalled,
    ]);
  for (const name of triggered) await toggle("enable")(name);
  return manifest;
}

/** The tables are made by the same migrations, so they only differ if a backup was changed. */
async function requireColumns(client: Client, { tables }: BackupHeader): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`,
  );
  const known = new Set(rows.map(({ name }) => name));
  for (const { name, columns } of tables)
    for (const column of columns)
      if (!known.has(`${name}.${column}`))
        throw new StartError(`The backup has a column ${name}.${column} that no migration made.`);
}

async function listTriggered(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace and not c.relispartition
    order by name`);
  return rows.map(({ name }) => name);
}

/** Rows of other times go to the partitions that the migrations made. */
async function makeWeeks(client: Client, { weeks }: BackupHeader): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'p' order by relname`);
  for (const { name } of rows)
    for (const week of weeks)
      await client.query("select ensure_weekly_partitions($1, $2::timestamptz, $2::timestamptz)", [
        name,
        `${week.slice(0, 4)}-${week.slice(4, 6)}-${week.slice(6)}T00:00:00Z`,
      ]);
}

async function copyInto(
  client: Client,
  { name, columns }: BackupHeader["tables"][number],
  parts: AsyncIterable<Buffer>,
): Promise<number> {
  const list = columns.map(quoteName).join(", ");
  const copy = client.query(
    copyFrom(`copy ${quoteName(name)} (${list}) from stdin (encoding 'UTF8')`),
  );
  await pipeline(Readable.from(parts, { objectMode: false, highWaterMark: 1 }), copy);
  return copy.rowCount;
}

async function hold(client: Client): Promise<number> {
  const [runs, ...others] = holdRestored;
  const { rowCount } = await client.query(runs.text, runs.values);
  for (const sql of others) await client.query(sql.text, sql.values);
  return rowCount ?? 0;
}
