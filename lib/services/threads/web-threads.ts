import { AppError } from "#lib/base/errors.ts";
import { oncePerProcess } from "#lib/base/once.ts";
import { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { WebTasks } from "./web-tasks.ts";

/**
 * The threads for work that untrusted input can make slow. The entry point of the process sets the
 * script, since bundled code doesn't know its own location.
 */
export const webThreads = oncePerProcess("catchmentThreads", () => {
  const { catchmentThreadScript: script } = globalThis as { catchmentThreadScript?: URL };
  if (script === undefined) throw new Error("The web process is started by server/roles/web.ts.");
  return new ThreadPool<WebTasks>({ script });
});

/** The error for input that wasn't examined because no thread was free. */
export function busyServer(): AppError {
  return new AppError("rate_limited", "The server is busy. Try again in a few seconds.", {
    headers: { "retry-after": "5" },
  });
}
