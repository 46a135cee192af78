import { isItemFault, storeAndHandOver } from "#lib/catch/store-and-hand-over.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isDatabaseUnavailable, sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { findStoredIds } from "#lib/db/spool/spooled-deliveries.ts";
import { drainBatches, reasonOf, type SpoolDatabase } from "#lib/spool/drain-batches.ts";
import type { SetAside } from "#lib/spool/set-aside.ts";
import { withConnection } from "#server/database/database-connection.ts";
import type { CommandInput, ExitCode } from "../frame/command.ts";
import { withDatabase } from "../frame/database-access.ts";
import { describeItem, requireSpool, visitItems } from "./set-aside-items.ts";

/** Stores what was set aside, with the statement that stores every delivery. What fails again stays. */
export async function runSpoolRetry({ readEnv, output, values }: CommandInput): Promise<ExitCode> {
  const env = readEnv();
  requireSpool(env);
  const counts = { stored: 0, left: 0 };
  let isAway = false;
  const toAway = (error: unknown): string => {
    if (!isDatabaseUnavailable(error)) throw error;
    isAway = true;
    return `the database is away (${reasonOf(error)})`;
  };
  await withDatabase(env, async ({ url }) => {
    // Reports in one sentence what is wrong with the database address.
    await withConnection(url, async () => undefined);
    const db = createSqlDatabase({ url, poolSize: 1, applicationName: "catchment spool retry" });
    const database = toSpoolDatabase(db);
    try {
      const visit = async (item: SetAside) => {
        const reason = isAway ? "not tried" : await tryToStore(item, database).catch(toAway);
        const lines = describeItem(item);
        counts[reason === null ? "stored" : "left"] += lines.length;
        for (const line of lines) output.result(`${line}: ${reason ?? "stored"}`);
        return reason === null;
      };
      await visitItems(env, visit, { trustsAll: values.unsigned === true });
    } finally {
      await db.$disconnect();
    }
  });
  output.note(`${counts.stored} stored, ${counts.left} still set aside.`);
  return counts.left === 0 ? 0 : 1;
}

/** Null: it is stored. */
async function tryToStore(
  { deliveries, fault }: SetAside,
  database: SpoolDatabase,
): Promise<string | null> {
  if (fault !== null) return "can't be stored";
  let refused: string | null = null;
  const setAside = async (_: unknown, reason: string) => {
    refused = `PostgreSQL refuses it (${reason})`;
  };
  // When it was acknowledged isn't needed: `toSpoolDatabase` records no response times.
  const batch = { atMs: 0, deliveries };
  try {
    // A canceled statement says nothing about the others, which are still tried.
    await drainBatches([batch], { setAside, isToSetAside: () => true }, database);
  } catch (error) {
    if (isDatabaseUnavailable(error) || sqlStateOf(error) === null) throw error;
    await setAside(null, reasonOf(error));
  }
  return refused;
}

function toSpoolDatabase(db: SqlDatabase): SpoolDatabase {
  return {
    store: (deliveries) => storeAndHandOver(db, deliveries, undefined),
    findStored: (deliveries) => findStoredIds(db, deliveries),
    // When it was acknowledged isn't known any more.
    recordResponseTimes: async () => {},
    isItemFault,
  };
}
