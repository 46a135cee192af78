import { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { WebTasks } from "./web-tasks.ts";

/**
 * For what takes long because of what somebody sent. It hangs on `globalThis` because Next bundles this module once for each kind of
 * route; whoever starts the process sets the script, because what is bundled does not know where it came from.
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
