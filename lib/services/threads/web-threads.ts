import { AppError } from "#lib/base/errors.ts";
import { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { WebTasks } from "./web-tasks.ts";

/**
 * The threads for work that untrusted input can make slow. Stored on `globalThis` because Next
 * bundles this module once per kind of route. The entry point of the process sets the script, since
 * bundled code doesn't know its own location.
 */
export function webThreads(): ThreadPool<WebTasks> {
  const script = shared.catchmentThreadScript;
  if (script === undefined) throw new Error("The web process is started by server/roles/web.ts.");
  shared.catchmentThreads ??= new ThreadPool<WebTasks>({ script });
  return shared.catchmentThreads;
}

const shared = globalThis as typeof globalThis & {
  catchmentThreadScript?: URL;
  catchmentThreads?: ThreadPool<WebTasks>;
};

/** The error for input that wasn't examined because no thread was free. */
export function busyServer(): AppError {
  return new AppError("rate_limited", "The server is busy. Try again in a few seconds.", {
    headers: { "retry-after": "5" },
  });
}
