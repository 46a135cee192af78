import { existsSync } from "node:fs";
import { describeEnvProblems, type Env, parseEnv } from "#lib/env.ts";
import { toError } from "#lib/errors.ts";
import { flushLog, log } from "#lib/log.ts";
import { createBanner } from "./banner.ts";
import { startCatchment } from "./catchment.ts";
import { StartError } from "./start-error.ts";
import { parseStartOptions, type StartOptions } from "./start-options.ts";
import { listenForStop } from "./stop-signals.ts";

/** `npm start`: see `catchment.ts` for what it starts and in which order. */
const banner = createBanner();
const cleanups: (() => Promise<void>)[] = [];
const abandons: (() => void)[] = [];
const stop = listenForStop(abandonEverything);
let isFailing = false;

// EPIPE: nobody reads the log or the banner any more. Deliveries go on.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
process.on("uncaughtException", (error) => void fail(error));
process.on("unhandledRejection", (reason) => void fail(reason));
try {
  const options = parseStartOptions(process.argv.slice(2));
  await startCatchment({ banner, options, env: readStartEnv(options), stop, cleanups, abandons });
  await untilStopped();
  banner.line("  Stopping: what is under way is finished first. Ctrl-C again stops at once.");
  await stopEverything();
  banner.line("  Stopped.");
  leave(0);
} catch (error) {
  await fail(error);
}

function readStartEnv(options: StartOptions): Env {
  if (existsSync(".env")) loadEnvFile(".env");
  if (options.log !== undefined) process.env.CATCHMENT_LOG = options.log;
  const result = parseEnv(process.env);
  if (!result.ok) throw new StartError(describeEnvProblems(result.problems));
  return result.env;
}

function loadEnvFile(path: string): void {
  try {
    process.loadEnvFile(path);
  } catch {
    // Node says ENOENT also of one that is there and closed to us, so its reason is left out.
    throw new StartError(
      `The ${path} beside package.json can't be read: make it a file that this user may read, or remove it.`,
    );
  }
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve();
    stop.addEventListener("abort", () => resolve());
  });
}

/** The reverse of the order in which things were started: the database comes last. */
async function stopEverything(): Promise<void> {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup();
}

async function fail(error: unknown): Promise<void> {
  if (isFailing) return;
  isFailing = true;
  const wasStopped = stop.aborted;
  if (!wasStopped) explain(error);
  await stopEverything().catch((second) => explain(second));
  leave(wasStopped ? 0 : 1);
}

function explain(error: unknown): void {
  if (error instanceof StartError) {
    banner.line(`\n${error.message}`);
    return;
  }
  log.error("server.failed", { error: toError(error) });
  banner.line(`\nCatchment stopped on something unforeseen: ${error instanceof Error ? error.stack : error}`);
}

function abandonEverything(): void {
  for (const abandon of abandons) abandon();
  leave(1);
}

function leave(code: number): never {
  flushLog();
  process.exit(code);
}
