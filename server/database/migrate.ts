import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { errorMessage, StartError } from "#server/system/start-error.ts";
import { applyMigrations } from "./schema-engine.ts";

export type Migration = { readonly name: string; readonly sql: string };
type MigrateOptions = {
  readonly url: string;
  readonly client: Client;
  readonly migrations: readonly Migration[];
};

/**
 * Migrates the database to this version and returns the names of the applied migrations. Starts on
 * several machines take turns by an advisory lock. If nothing is due, Prisma's engine isn't even
 * loaded.
 */
export async function migrate({
  url,
  client,
  migrations,
}: MigrateOptions): Promise<readonly string[]> {
  await client.query("select pg_advisory_lock($1)", [lockKey]);
  try {
    await forgetUnfinished(client);
    const applied = await readApplied(client);
    const isDone = new Map(applied.map((one) => [one.name, one.checksum]));
    requireKnown([...isDone.keys()], migrations);
    requireUnchanged(isDone, migrations);
    await fillChecksums(client, isDone, migrations);
    if (migrations.every((migration) => isDone.has(migration.name))) return [];
    return await apply(url, migrations);
  } finally {
    // If the connection is lost, so is the lock.
    await client.query("select pg_advisory_unlock($1)", [lockKey]).catch(() => {});
  }
}

/** How a database differs from this version, without changing anything. */
export type MigrationState = {
  readonly pending: readonly string[];
  /** Applied by a newer version. */
  readonly unknown: readonly string[];
  readonly changed: readonly string[];
};

export async function compareMigrations(
  client: Client,
  migrations: readonly Migration[],
): Promise<MigrationState> {
  const applied = new Map((await readApplied(client)).map((one) => [one.name, one.checksum]));
  const pending = migrations.map(({ name }) => name).filter((name) => !applied.has(name));
  const unknown = findUnknown([...applied.keys()], migrations);
  return { pending, unknown, changed: findChanged(applied, migrations) };
}

export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "migration.sql")))
    .map((entry) => ({
      name: entry.name,
      sql: readFileSync(join(folder, entry.name, "migration.sql"), "utf8"),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

// "catchment" in ASCII, cut to fit a bigint. Any number works that nothing else in the database
// uses.
const lockKey = "7161132813946744";

/**
 * A start that was killed while it migrated leaves an unfinished row. PostgreSQL runs a migration
 * file as one transaction, so nothing else is left of it, and it can be tried again.
 */
async function forgetUnfinished(client: Client): Promise<void> {
  if (!(await hasHistory(client))) return;
  await client.query(
    "update _prisma_migrations set rolled_back_at = now() where finished_at is null and rolled_back_at is null",
  );
}

type Applied = { readonly name: string; readonly checksum: string };

async function readApplied(client: Client): Promise<Applied[]> {
  if (!(await hasHistory(client))) return [];
  const { rows } = await client.query<Applied>(
    `select migration_name as name, checksum from _prisma_migrations
     where finished_at is not null and rolled_back_at is null`,
  );
  return rows;
}

async function hasHistory(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "select to_regclass('_prisma_migrations') is not null as found",
  );
  return rows[0]?.found === true;
}

function findUnknown(applied: readonly string[], migrations: readonly Migration[]): string[] {
  const known = new Set(migrations.map((migration) => migration.name));
  return applied.filter((name) => !known.has(name));
}

function requireKnown(applied: readonly string[], migrations: readonly Migration[]): void {
  const unknown = findUnknown(applied, migrations);
  if (unknown.length === 0) return;
  throw new StartError(
    "The database is newer than this version of Catchment (it has the migration " +
      `${unknown.at(-1)}): start the newer version, or restore a backup from before the update.`,
  );
}

function findChanged(
  applied: ReadonlyMap<string, string>,
  migrations: readonly Migration[],
): string[] {
  const changed = migrations.filter(({ name, sql }) => {
    const checksum = applied.get(name) ?? "";
    return isChecksum.test(checksum) && !checksumsOf(sql).includes(checksum);
  });
  return changed.map(({ name }) => name);
}

/**
 * If an applied file has changed, the database is not what the code expects, and pages would fail
 * later.
 */
function requireUnchanged(
  applied: ReadonlyMap<string, string>,
  migrations: readonly Migration[],
): void {
  const changed = findChanged(applied, migrations);
  if (changed.length === 0) return;
  throw new StartError(
    `Already applied to this database, but changed since: ${changed.join(", ")}. Restore the file in ` +
      "prisma/migrations as it was, and put what you changed into a new migration.",
  );
}

/** A history without checksums is assumed to match the files. */
async function fillChecksums(
  client: Client,
  applied: ReadonlyMap<string, string>,
  migrations: readonly Migration[],
): Promise<void> {
  for (const { name, sql } of migrations) {
    const checksum = applied.get(name);
    if (checksum === undefined || isChecksum.test(checksum)) continue;
    await client.query("update _prisma_migrations set checksum = $2 where migration_name = $1", [
      name,
      checksumsOf(sql)[0],
    ]);
  }
}

const isChecksum = /^[0-9a-f]{64}$/;

/**
 * The checksum as Prisma's engine stores it. Git may have changed the line endings on this machine.
 */
function checksumsOf(sql: string): readonly [string, ...string[]] {
  const unix = sql.replaceAll("\r\n", "\n");
  return [hash("sha256", sql), hash("sha256", unix), hash("sha256", unix.replaceAll("\n", "\r\n"))];
}

async function apply(url: string, migrations: readonly Migration[]): Promise<readonly string[]> {
  try {
    return await applyMigrations(url, migrations);
  } catch (error) {
    // The engine's own call stack follows the first lines.
    const reason = errorMessage(error)
      .split(/\n\s*0: /)[0]
      ?.trim()
      .replaceAll("\n", ": ");
    throw new StartError(`A migration failed and was rolled back: ${reason}`);
  }
}
