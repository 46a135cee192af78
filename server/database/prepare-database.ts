import { spawn } from "node:child_process";
import { entryPoints } from "#server/system/paths.ts";
import { DatabaseAwayError, StartError } from "#server/system/start-error.ts";
import type { PrepareResult } from "./prepare.ts";

type Prepared = Extract<PrepareResult, { ok: true }>;

/** Runs `prepare.ts` and waits for it. `env` names the database, as it does for the roles. */
export function prepareDatabase(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entryPoints.prepare], {
      env: { NODE_ENV: "production", ...env },
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    let result: PrepareResult | undefined;
    child.on("message", (message) => {
      result = message as PrepareResult;
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (result === undefined)
        return reject(new Error(`Preparing the database ended with ${signal ?? code}.`));
      if (!result.ok)
        return reject(new (result.isAway ? DatabaseAwayError : StartError)(result.message));
      resolve(result);
    });
  });
}
