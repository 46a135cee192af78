import { describeEnvProblems, type Env, parseEnv } from "#lib/core/env/parse-env.ts";

let parsedEnv: Env | undefined;

/**
 * The environment of this process. Throws if it is invalid, which `server/start/start.ts` checks
 * first.
 */
export function readEnv(): Env {
  if (parsedEnv !== undefined) return parsedEnv;
  const result = parseEnv(process.env);
  if (!result.ok) throw new Error(describeEnvProblems(result.problems));
  parsedEnv = result.env;
  return parsedEnv;
}
