import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PrepareResult } from "./prepare.ts";
import { StartError } from "./start-error.ts";

type Prepared = Extract<PrepareResult, { ok: true }>;

/** Runs `prepare.ts` and waits for it. `env` names the database, as it does for the roles. */
export function prepareDatabase(env: Readonly<Record<string, string | undefined>>): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL("prepare.ts", import.meta.url))], {
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
      if (!result.ok) return reject(new StartError(result.message));
      resolve(result);
    });
  });
}
