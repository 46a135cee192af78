import { existsSync, readFileSync } from "node:fs";
import { readFileVariables } from "#lib/core/env/file-variables.ts";
import { describeEnvProblems, type Env, parseEnv } from "#lib/core/env/parse-env.ts";
import { StartError } from "#server/system/start-error.ts";

/** The environment and the file `.env` next to package.json. */
export function readStartEnv(): Env {
  loadStartEnv();
  const result = parseEnv(process.env);
  if (!result.ok) throw new StartError(describeEnvProblems(result.problems));
  return result.env;
}

/** Adds what `.env` and the files of secrets say to the environment of this process. */
export function loadStartEnv(): void {
  if (existsSync(".env")) loadEnvFile(".env");
  const read = readFileVariables(process.env, (path) => readFileSync(path, "utf8"));
  if (!read.ok) throw new StartError(`${read.variable} ${read.message}.`);
  for (const name of Object.keys(process.env)) if (!(name in read.env)) delete process.env[name];
  Object.assign(process.env, read.env);
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
