import { toError } from "#lib/base/errors.ts";
import { flushLog, log } from "#lib/base/log.ts";
import { type Env, findUnknownVariables } from "#lib/core/env/parse-env.ts";
import { StartError } from "#server/system/start-error.ts";
import { parseStartOptions, type StartOptions } from "#server/system/start-options.ts";
import { createBanner } from "./banner.ts";
import { startCatchment } from "./catchment.ts";
import { chooseLogFormat } from "./log-format.ts";
import { readStartEnv } from "./read-start-env.ts";
import { listenForStop } from "./stop-signals.ts";

/** `npm start`: see `catchment.ts` for what it starts and in which order. */
const banner = createBanner();
const cleanups: (() => Promise<void>)[] = [];
const abandons: (() => void)[] = [];
const stop = listenForStop(abandonEverything);
let isFailing = false;

// EPIPE: nothing reads the log or banner any more. Deliveries continue.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
process.on("uncaughtException", (error) => void fail(error));
process.on("unhandledRejection", (reason) => void fail(reason));
try {
  const options = parseStartOptions(process.argv.slice(2));
  await startCatchment({ banner, options, env: readEnvFor(options), stop, cleanups, abandons });
  await untilStopped();
  banner.line("  Stopping: finishing work in progress. Press Ctrl-C again to stop at once.");
  await stopEverything();
  banner.line("  Stopped.");
  leave(0);
} catch (error) {
  await fail(error);
}

function readEnvFor(options: StartOptions): Env {
  if (options.catchProcesses !== undefined)
    process.env.CATCHMENT_CATCH_PROCESSES = String(options.catchProcesses);
  const env = readStartEnv();
  // All processes that this one starts write in its format, since their lines go through its stdout.
  process.env.CATCHMENT_LOG = chooseLogFormat(options.log, process.env.CATCHMENT_LOG);
  for (const { variable, meant } of findUnknownVariables(process.env)) {
    const question = meant === null ? "" : ` Did you mean ${meant}?`;
    banner.line(`  ! ${variable} is not a setting of this version and is ignored.${question}`);
    log.warn("env.unknown", { variable });
  }
  return env;
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve();
    stop.addEventListener("abort", () => resolve());
  });
}

/** Stops everything in reverse starting order: the database comes last. */
async function stopEverything(): Promise<void> {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop())
    await cleanup();
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
  banner.line(
    `\nCatchment stopped because of an unexpected error: ${error instanceof Error ? error.stack : error}`,
  );
}

function abandonEverything(): void {
  for (const abandon of abandons) abandon();
  leave(1);
}

function leave(code: number): never {
  flushLog();
  process.exit(code);
}
