import { resolve } from "node:path";
import type { Env } from "#lib/core/env/parse-env.ts";
import type { FolderLock } from "#lib/spool/lock-folder.ts";
import {
  findRunningUrl,
  hasCluster,
  startEmbeddedPostgres,
} from "#server/postgres/embedded-postgres.ts";
import { dropRootPrivileges } from "#server/start/drop-root-privileges.ts";
import { lockDataFolder } from "#server/system/data-folder-lock.ts";
import { StartError } from "#server/system/start-error.ts";

/** The database of this installation, and how it is running. */
export type DatabaseAccess = {
  readonly url: string;
  /** The data folder of the embedded database. Undefined: `DATABASE_URL`. */
  readonly folder: string | undefined;
  /** Whether another process runs the embedded database. */
  readonly isRunning: boolean;
};

/**
 * Calls `use` with the database that `npm start` would use. The embedded one is started for the call
 * unless Catchment is running, whose database is then used.
 */
export async function withDatabase<T>(
  env: Env,
  use: (access: DatabaseAccess) => Promise<T>,
): Promise<T> {
  if (env.databaseUrl !== undefined)
    return await use({ url: env.databaseUrl, folder: undefined, isRunning: true });
  const folder = resolve(env.dataDir);
  if (!hasCluster(folder))
    throw new StartError(
      `There is no database in ${folder}: set CATCHMENT_DATA_DIR or DATABASE_URL as at the start.`,
    );
  await dropRootPrivileges(env.dataDir);
  const lock = tryLock(folder);
  if (lock === undefined) {
    const running = findRunningUrl(folder);
    if (running === undefined)
      throw new StartError("Catchment is starting: try again in a moment.");
    return await use({ url: running, folder, isRunning: true });
  }
  try {
    const postgres = await startEmbeddedPostgres({ folder });
    try {
      return await use({ url: postgres.url, folder, isRunning: false });
    } finally {
      await postgres.stop();
    }
  } finally {
    lock.release();
  }
}

/** Undefined: Catchment is running. */
function tryLock(folder: string): FolderLock | undefined {
  try {
    return lockDataFolder(folder);
  } catch (error) {
    if (error instanceof StartError) return undefined;
    throw error;
  }
}
