import { errorCode, toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { ensurePartitions } from "#lib/db/postgres/partitions/partitions.ts";
import { readSealKeys } from "#lib/db/postgres/seal-check.ts";
import { isDatabaseUnavailable, sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { readEnv } from "#lib/env.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { DatabaseAwayError, StartError } from "#server/system/start-error.ts";
import { checkDatabase } from "./check-database.ts";
import { checkPooler } from "./check-pooler.ts";
import { withConnection } from "./database-connection.ts";
import { type FirstAccess, prepareFirstOwner } from "./first-owner.ts";
import { migrate, readMigrations } from "./migrate.ts";

/**
 * Prepares the database before anything serves from it, in a process that ends afterwards: the
 * migration engine and the client would otherwise stay in the supervisor's memory.
 */
export type PrepareResult =
  | { readonly ok: true; readonly applied: readonly string[]; readonly firstAccess: FirstAccess }
  | {
      readonly ok: false;
      readonly message: string;
      /** The database can't be reached now. */
      readonly isAway: boolean;
    };

process.on("disconnect", () => process.exit(1));
process.send?.(await prepareOrExplain());
process.disconnect?.();

async function prepareOrExplain(): Promise<PrepareResult> {
  try {
    return { ok: true, ...(await prepare()) };
  } catch (error) {
    if (error instanceof StartError)
      return { ok: false, message: error.message, isAway: error instanceof DatabaseAwayError };
    if (!isDatabaseUnavailable(error)) throw error;
    const code = sqlStateOf(error) ?? errorCode(error) ?? "no response";
    const message = `The database failed during the start (${code}): look at its log, or correct DATABASE_URL.`;
    return { ok: false, message, isAway: true };
  }
}

async function prepare(): Promise<{ applied: readonly string[]; firstAccess: FirstAccess }> {
  const env = readEnv();
  const url = env.databaseUrl;
  if (url === undefined) throw new Error("DATABASE_URL is set by server/start/start.ts");
  const applied = await withConnection(url, async (client) => {
    await checkPooler(url, client);
    for (const { event, fields } of await checkDatabase(client, url)) log.warn(event, fields);
    return await migrate({ url, client, migrations: readMigrations(migrationsFolder) });
  });
  const db = createDatabase({ url, poolSize: 1, applicationName: "catchment start" });
  try {
    await requireSealKey(db, env);
    await ensurePartitionsIfPossible(db);
    return { applied, firstAccess: await prepareFirstOwner(env, db) };
  } finally {
    await db.$disconnect();
  }
}

/**
 * After a long time off, the tables for the coming weeks are missing. Until they can be created,
 * new rows go into the default partition.
 */
async function ensurePartitionsIfPossible(db: Database): Promise<void> {
  try {
    await ensurePartitions(db);
  } catch (error) {
    log.warn("partitions.not_made", { error: toError(error) });
  }
}

async function requireSealKey(db: Database, env: Env): Promise<void> {
  const keyId = deriveSealKey(env.secretKey ?? "").id;
  const known = await readSealKeys(db, keyId);
  if (known.retiredKeyIds.includes(keyId))
    throw new StartError("CATCHMENT_SECRET_KEY was replaced by rotate-key: set it to the new key.");
  const previous = env.previousSecretKey;
  if (known.keyId === keyId) return;
  // A rotation is in progress: both keys are needed until it ends.
  if (previous !== undefined && known.keyId === deriveSealKey(previous).id) return;
  throw new StartError(
    "The secrets in this database were encrypted with another key: set " +
      "CATCHMENT_SECRET_KEY to the one that it was started with before.",
  );
}
