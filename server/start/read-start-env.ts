import { existsSync } from "node:fs";
import { describeEnvProblems, type Env, parseEnv } from "#lib/env.ts";
import { StartError } from "#server/system/start-error.ts";

/** The environment and the file `.env` next to package.json. */
export function readStartEnv(): Env {
  loadStartEnv();
  const result = parseEnv(process.env);
  if (!result.ok) throw new StartError(describeEnvProblems(result.problems));
  return result.env;
}

/** Adds what `.env` says to the environment of this process. */
export function loadStartEnv(): void {
  if (existsSync(".env")) loadEnvFile(".env");
}

function loadEnvFile(path: string): void {
  try {
    process.loadEnvFile(path);
  } catch {
    // Node also reports ENOENT for an unreadable file, so its reason is omitted.
    throw new StartError(
      `The ${path} next to package.json can't be read: make it readable for this user, or remove it.`,
    );
  }
}
