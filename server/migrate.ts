import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { applyMigrations } from "./schema-engine.ts";
import { errorMessage, StartError } from "./start-error.ts";

export type Migration = { readonly name: string; readonly sql: string };
export type MigrateOptions = {
  readonly url: string;
  readonly client: Client;
  readonly migrations: readonly Migration[];
};

/**
 * Brings the database to this version of the code and returns the names of what was applied. Starts on several
 * machines at once take turns by an advisory lock. Where nothing is due, Prisma's engine isn't even loaded.
 */
export async function migrate({ url, client, migrations }: MigrateOptions): Promise<readonly string[]> {
  await client.query("select pg_advisory_lock($1)", [lockKey]);
  try {
    await forgetUnfinished(client);
    const applied = await readApplied(client);
    requireKnown(applied, migrations);
    const isDone = new Set(applied);
    if (migrations.every((migration) => isDone.has(migration.name))) return [];
    return await apply(url, migrations);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [lockKey]);
  }
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

// "catchment" in ASCII, cut to what a bigint holds; any number does that nothing else in the database uses.
const lockKey = "7161132813946744";

/**
 * A start that was killed while it migrated leaves a row that says "begun". PostgreSQL runs a migration file as one
 * transaction, so nothing else is left of it, and it can be tried again.
 */
async function forgetUnfinished(client: Client): Promise<void> {
  if (!(await hasHistory(client))) return;
  await client.query(
    "update _prisma_migrations set rolled_back_at = now() where finished_at is null and rolled_back_at is null",
  );
}

async function readApplied(client: Client): Promise<string[]> {
  if (!(await hasHistory(client))) return [];
  const { rows } = await client.query<{ migration_name: string }>(
    "select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null",
  );
  return rows.map((row) => row.migration_name);
}

async function hasHistory(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "select to_regclass('_prisma_migrations') is not null as found",
  );
  return rows[0]?.found === true;
}

function requireKnown(applied: readonly string[], migrations: readonly Migration[]): void {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new StartError(
    `The database is newer than this version of Catchment (it has the migration ${unknown.at(-1)}): start the newer version, or restore a backup from before the update.`,
  );
}

async function apply(url: string, migrations: readonly Migration[]): Promise<readonly string[]> {
  try {
    return await applyMigrations(url, migrations);
  } catch (error) {
    // Behind the first lines comes the engine's own call stack.
    const reason = errorMessage(error)
      .split(/\n\s*0: /)[0]
      ?.trim()
      .replaceAll("\n", ": ");
    throw new StartError(`A migration failed and was rolled back: ${reason}`);
  }
}
