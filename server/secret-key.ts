import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeSecretFile } from "./secret-file.ts";
import { StartError } from "./start-error.ts";

/**
 * The key that encrypts secrets at rest: the one from the environment, else the one in the data folder, else, only
 * while there is no database yet, a new one. A database without its key is never given another one: everything that
 * is encrypted in it would be lost without a word.
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
      `The secret key ${path} is missing, and the database beside it is encrypted with it: put the file back from your backup or set CATCHMENT_SECRET_KEY to that key.`,
    );
  }
  const key = randomBytes(32).toString("base64url");
  writeSecretFile(path, `${key}\n`);
  return key;
}

function readKey(path: string): string {
  const key = readFileSync(path, "utf8").trim();
  if (key.length >= 32) return key;
  throw new StartError(
    `The secret key ${path} is damaged: put the file back from your backup or set CATCHMENT_SECRET_KEY.`,
  );
}
