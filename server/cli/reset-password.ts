import { randomInt } from "node:crypto";
import { resolve } from "node:path";
import { resetPassword } from "#lib/db/accounts/reset-password.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import type { Env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { emailSchema } from "#lib/schema/account/sign-in.ts";
import { hashPassword } from "#lib/services/account/password.ts";
import { withConnection } from "#server/database/database-connection.ts";
import {
  findRunningUrl,
  hasCluster,
  startEmbeddedPostgres,
} from "#server/postgres/embedded-postgres.ts";
import { dropRootPrivileges } from "#server/start/drop-root-privileges.ts";
import { type DataFolderLock, lockDataFolder } from "#server/system/data-folder-lock.ts";
import { StartError } from "#server/system/start-error.ts";

/**
 * Resets a user's password. Anyone who can run programs on this machine can read its database, so
 * nothing else is required. Works whether or not Catchment is running. Returns the new password.
 */
export async function resetPasswordCommand(env: Env, givenEmail: string): Promise<string> {
  const email = emailSchema.safeParse(givenEmail);
  if (!email.success) throw new StartError(`${givenEmail} is not an email address.`);
  return await withDatabaseUrl(env, (url) => reset(url, email.data));
}

async function reset(url: string, email: string): Promise<string> {
  // Reports in one sentence what is wrong with the database address.
  await withConnection(url, async () => undefined);
  const db = createDatabase({ url, poolSize: 1, applicationName: "catchment reset-password" });
  try {
    const password = makePassword();
    const userId = await resetPassword(db, email, await hashPassword(password));
    if (userId === null)
      throw new StartError(`No user has the email ${email}: check its spelling.`);
    log.info("password.reset", { userId, by: "command line" });
    return password;
  } finally {
    await db.$disconnect();
  }
}

async function withDatabaseUrl<T>(env: Env, use: (url: string) => Promise<T>): Promise<T> {
  if (env.databaseUrl !== undefined) return await use(env.databaseUrl);
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
    return await use(running);
  }
  try {
    const postgres = await startEmbeddedPostgres({ folder });
    try {
      return await use(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    lock.release();
  }
}

/** Undefined: Catchment is running. */
function tryLock(folder: string): DataFolderLock | undefined {
  try {
    return lockDataFolder(folder);
  } catch (error) {
    if (error instanceof StartError) return undefined;
    throw error;
  }
}

// Excludes letters and digits that look alike. Four groups of five characters out of 32 are 100
// bits.
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

function makePassword(): string {
  const word = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return Array.from({ length: 4 }, word).join("-");
}
