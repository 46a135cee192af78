import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Env } from "#lib/core/env/parse-env.ts";
import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import { listKeyUsers, readSealKeys, retireSealKey } from "#lib/db/postgres/seal-check.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { withConnection } from "#server/database/database-connection.ts";
import {
  readPreviousKey,
  removePreviousKey,
  replaceSecretKey,
  resolveSecretKey,
} from "#server/system/secret-key.ts";
import { StartError } from "#server/system/start-error.ts";
import { auditCommand } from "../frame/audit-command.ts";
import type { CommandInput, ExitCode } from "../frame/command.ts";
import { type DatabaseAccess, withDatabase } from "../frame/database-access.ts";
import { type KeyChange, type Resealed, resealAll } from "./reseal.ts";

/**
 * Replaces the secret key while Catchment runs: every process gets both keys, everything is sealed
 * again, and the old key is retired. After an interruption, the same command continues.
 */
export async function runRotateKey(input: CommandInput): Promise<ExitCode> {
  const env = input.readEnv();
  const resealed = await withDatabase(env, (access) => rotate(env, access, input));
  const { count, unreadable } = resealed;
  input.output.result(
    input.values.json === true ? JSON.stringify(resealed, null, 2) : summarize(env, count),
  );
  if (unreadable > 0)
    input.output.note(
      `${unreadable} values open with neither key, and didn't before: enter these secrets again.`,
    );
  return 0;
}

/** Reports in one sentence what is wrong with the database address. */
async function rotate(env: Env, access: DatabaseAccess, input: CommandInput): Promise<Resealed> {
  return await withConnection(access.url, async (client) => {
    await requireAlone(client);
    return await rotateAlone(env, access, input);
  });
}

/**
 * The lock is held as long as the session. Two rotations at once would each make a new key, and the second
 * would keep the first one's as the previous key, instead of the one that everything is sealed with.
 */
async function requireAlone(client: Client): Promise<void> {
  const { rows } = await client.query<{ isOurs: boolean }>(
    `select pg_try_advisory_lock(hashtext('rotate_key')) as "isOurs"`,
  );
  if (rows[0]?.isOurs !== true)
    throw new StartError("Another rotate-key is running: wait until it has ended.");
}

async function rotateAlone(
  env: Env,
  access: DatabaseAccess,
  input: CommandInput,
): Promise<Resealed> {
  const db = createSqlDatabase({
    url: access.url,
    poolSize: 1,
    applicationName: "catchment rotate-key",
    statementTimeoutMs: 600_000,
  });
  try {
    const change = await chooseKeys(env, access, db);
    await requireNewKeyEverywhere(db, change, access, input);
    const first = await resealAll(db, change);
    await retireSealKey(db, {
      oldKeyId: deriveSealKey(change.oldKey).id,
      newKeyId: deriveSealKey(change.newKey).id,
    });
    // Whatever was sealed between the last look at a table and now.
    const rest = await resealAll(db, change);
    if (usesFile(env, access)) removePreviousKey(access.folder);
    const sealer = openSealer(change.newKey);
    await auditCommand(access.url, sealer, "installation.secret_key.rotated");
    return { count: first.count + rest.count, unreadable: rest.unreadable };
  } finally {
    await db.$disconnect();
  }
}

function usesFile(
  env: Env,
  access: DatabaseAccess,
): access is DatabaseAccess & { readonly folder: string } {
  return access.folder !== undefined && env.secretKey === undefined;
}

async function chooseKeys(env: Env, access: DatabaseAccess, db: SqlDatabase): Promise<KeyChange> {
  if (usesFile(env, access)) return chooseFileKeys(access.folder);
  const { secretKey: newKey, previousSecretKey: oldKey } = env;
  if (newKey === undefined || oldKey === undefined || newKey === oldKey)
    throw new StartError(
      "Set CATCHMENT_PREVIOUS_SECRET_KEY to the present key and CATCHMENT_SECRET_KEY to a new one " +
        "(openssl rand -base64 32), restart Catchment on every machine, and run this again.",
    );
  await requireKnownKey(db, newKey, oldKey);
  return { newKey, oldKey };
}

/** The present key stays in a file of its own until the end, also if this is interrupted. */
function chooseFileKeys(folder: string): KeyChange {
  const present = resolveSecretKey(folder, undefined, true);
  const previous = readPreviousKey(folder);
  if (previous !== undefined && previous !== present) return { newKey: present, oldKey: previous };
  replaceSecretKey(folder);
  return { newKey: resolveSecretKey(folder, undefined, true), oldKey: present };
}

async function requireKnownKey(db: SqlDatabase, newKey: string, oldKey: string): Promise<void> {
  const [newKeyId, oldKeyId] = [deriveSealKey(newKey).id, deriveSealKey(oldKey).id];
  const known = await readSealKeys(db, oldKeyId);
  if (known.retiredKeyIds.includes(newKeyId))
    throw new StartError("CATCHMENT_SECRET_KEY was replaced before: set it to a new key.");
  if (known.keyId === oldKeyId || known.keyId === newKeyId) return;
  throw new StartError(
    "The secrets in this database were sealed with another key: set CATCHMENT_PREVIOUS_SECRET_KEY to that one.",
  );
}

/** The running Catchment looks at its key once a second, and a worker finishes its calls first. */
const restartTimeoutMs = 120_000;

/** A process that still seals with the old key would leave values that can't be read later. */
async function requireNewKeyEverywhere(
  db: SqlDatabase,
  { newKey }: KeyChange,
  access: DatabaseAccess,
  { output }: CommandInput,
): Promise<void> {
  const newKeyId = deriveSealKey(newKey).id;
  const isAutomatic = access.folder !== undefined && access.isRunning;
  if (isAutomatic) output.note("Waiting for every process to restart with both keys.");
  const deadline = performance.now() + (isAutomatic ? restartTimeoutMs : 0);
  while (true) {
    const users = await listKeyUsers(db);
    const stale = users.filter(({ keyId }) => keyId !== newKeyId);
    const isRestarted = stale.length === 0 && (!isAutomatic || users.length > 0);
    if (isRestarted) return;
    if (performance.now() > deadline) throw tooOld(stale.map(describeUser));
    await delay(250);
  }
}

function describeUser({ name, address }: { name: string; address: string | null }): string {
  return address === null ? name : `${name} (${address})`;
}

function tooOld(names: readonly string[]): StartError {
  return new StartError(
    `Still without the new key: ${names.join(", ") || "all processes"}. Restart Catchment there with ` +
      "both keys, and run this again.",
  );
}

function summarize(env: Env, count: number): string {
  const next =
    env.secretKey === undefined
      ? "The old key is gone from the data folder."
      : "Remove CATCHMENT_PREVIOUS_SECRET_KEY on every machine, and restart Catchment there.";
  return (
    `Sealed ${count.toLocaleString("en-US")} values with the new key, and retired the old one. ${next}\n` +
    "Everyone has to sign in again. Make a new backup: older ones need the old key."
  );
}
