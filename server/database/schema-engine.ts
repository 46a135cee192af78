import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  DriverAdapterError,
} from "@prisma/driver-adapter-utils";
import * as glue from "@prisma/schema-engine-wasm/schema_engine_bg";
import { DatabaseError, Pool, type PoolConfig } from "pg";
import { requireDatabaseUrl } from "#lib/core/env/database-url.ts";
import { HostClient } from "#lib/db/postgres/hosts/host-client.ts";
import { migrationsFolder } from "#server/system/paths.ts";

/**
 * Prisma's own migration engine as WebAssembly, so that its history is compatible with `prisma
 * migrate` and no binary is downloaded. Returns the names of the migrations that it applied.
 */
export async function applyMigrations(
  url: string,
  migrations: readonly { name: string; sql: string }[],
): Promise<readonly string[]> {
  return await withEngine(url, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: {
        baseDir: migrationsFolder,
        lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
        shadowDbInitScript: "",
        migrationDirectories: migrations.map(({ name, sql }) => ({
          path: name,
          migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
        })),
      },
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  });
}

/** The SQL that makes the tables of a Prisma schema in an empty database. */
export async function writeTables(
  url: string,
  schema: { readonly path: string; readonly content: string },
): Promise<string> {
  return await withEngine(url, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: "empty" },
      to: { tag: "schemaDatamodel", files: [schema] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? "";
  });
}

async function withEngine<Result>(
  url: string,
  run: (engine: glue.SchemaEngine) => Promise<Result>,
): Promise<Result> {
  // The pool is closed at the end, because the engine leaves its session, and the lock it holds, to
  // it.
  const pool = new Pool({ connectionString: url, Client: HostClient } as PoolConfig);
  try {
    return await run(await loadEngine(pool, requireDatabaseUrl(url).schema));
  } finally {
    await pool.end();
  }
}

async function loadEngine(pool: Pool, schema: string): Promise<glue.SchemaEngine> {
  instantiated ??= instantiate();
  await instantiated;
  const adapter = bindMigrationAwareSqlAdapterFactory(
    runScriptsWhole(new PrismaPg(pool, { schema })),
  );
  const ignoreEngineLog = (): void => {};
  return await glue.SchemaEngine.new({ datamodels: undefined }, ignoreEngineLog, adapter);
}

/**
 * The adapter splits a script at every semicolon, even inside comments and function bodies, and
 * commits each piece. Sent as one query, PostgreSQL parses it and runs it as one transaction: a
 * migration is applied completely or not at all.
 */
function runScriptsWhole(factory: PrismaPg): PrismaPg {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapter.executeScript = async (script) => {
      try {
        await adapter.underlyingDriver().query(script);
      } catch (error) {
        throw error instanceof DatabaseError ? toAdapterError(error) : error;
      }
    };
    return adapter;
  };
  return factory;
}

function toAdapterError(error: DatabaseError): DriverAdapterError {
  return new DriverAdapterError({
    kind: "postgres",
    code: error.code ?? "",
    severity: error.severity ?? "ERROR",
    message: error.message,
    detail: error.detail,
    column: error.column,
    hint: error.hint,
  });
}

// The glue has one instance for the whole process.
let instantiated: Promise<void> | undefined;

/** Does what bundler plugins do for `.wasm` imports. Node has no such plugin. */
async function instantiate(): Promise<void> {
  const gluePath = createRequire(import.meta.url).resolve(
    "@prisma/schema-engine-wasm/schema_engine_bg",
  );
  const bytes = readFileSync(join(dirname(gluePath), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, {
    "./schema_engine_bg.js": { ...glue, ...quietTimers() },
  });
  glue.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
}

/**
 * The engine never clears its own timers (10 s for its lock), and a process would wait for them
 * before it ends.
 */
function quietTimers(): Record<string, (run: () => void, delayMs: number) => NodeJS.Timeout> {
  const names = Object.keys(glue).filter((name) => name.startsWith("__wbg_setTimeout_"));
  return Object.fromEntries(
    names.map((name) => [name, (run, delayMs) => setTimeout(run, delayMs).unref()]),
  );
}
