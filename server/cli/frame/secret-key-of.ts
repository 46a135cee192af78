import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "#lib/core/env/parse-env.ts";
import { readPreviousKey, resolveSecretKey } from "#server/system/secret-key.ts";
import type { DatabaseAccess } from "./database-access.ts";

/** The key of the installation. Null: neither the environment nor the data folder has it. */
export function findSecretKey(env: Env, { folder }: Pick<DatabaseAccess, "folder">): string | null {
  if (env.secretKey !== undefined) return env.secretKey;
  if (folder === undefined || !existsSync(join(folder, "secret-key"))) return null;
  return resolveSecretKey(folder, undefined, true);
}

/** The key before it, during a rotation. */
export function findPreviousKey(
  env: Env,
  { folder }: Pick<DatabaseAccess, "folder">,
): string | null {
  if (env.secretKey !== undefined || folder === undefined) return env.previousSecretKey ?? null;
  return readPreviousKey(folder) ?? null;
}
