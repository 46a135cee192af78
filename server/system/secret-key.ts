import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeSecretFile } from "./secret-file.ts";
import { StartError } from "./start-error.ts";

/**
 * The key that encrypts secrets at rest: from the environment, otherwise from the data folder,
 * otherwise a new one, but only while there is no database yet. A database without its key never
 * gets another one: everything encrypted in it would be silently lost.
 */
export function resolveSecretKey(
  folder: string,
  fromEnv: string | undefined,
  databaseExists: boolean,
): string {
  if (fromEnv !== undefined) return fromEnv;
  const path = join(folder, "secret-key");
  if (existsSync(path)) return readKey(path);
  if (databaseExists) {
    throw new StartError(
      `The secret key ${path} is missing, and the database next to it is encrypted with it: ` +
        "put the file back from your backup or set CATCHMENT_SECRET_KEY to that key.",
    );
  }
  const key = randomBytes(32).toString("base64url");
  writeSecretFile(path, `${key}\n`);
  return key;
}

/** The key before the present one, while a rotation replaces it. */
export function readPreviousKey(folder: string): string | undefined {
  const path = previousKeyPath(folder);
  return existsSync(path) ? readKey(path) : undefined;
}

/**
 * Makes a new key the key of this folder and keeps the present one as the previous. The previous one
 * is on disk first, so that neither is lost if this is interrupted.
 */
export function replaceSecretKey(folder: string): void {
  const path = join(folder, "secret-key");
  writeSecretFile(previousKeyPath(folder), `${readKey(path)}\n`);
  writeSecretFile(path, `${randomBytes(32).toString("base64url")}\n`);
}

/** Ends a rotation: everything is sealed with the present key. */
export function removePreviousKey(folder: string): void {
  rmSync(previousKeyPath(folder), { force: true });
}

function previousKeyPath(folder: string): string {
  return join(folder, "secret-key.previous");
}

function readKey(path: string): string {
  const key = readFileSync(path, "utf8").trim();
  if (key.length >= 32) return key;
  throw new StartError(
    `The secret key ${path} is damaged: put the file back from your backup or set CATCHMENT_SECRET_KEY.`,
  );
}
