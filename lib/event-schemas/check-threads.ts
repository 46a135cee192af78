import { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { checkData } from "./check-data.ts";
import type { RunChecks } from "./event-catalog.ts";

type CheckTasks = { readonly checkData: typeof checkData };

/** Threads for an `EventCatalog`: one more than a single account can block. */
export class CheckThreads {
  readonly #threads = new ThreadPool<CheckTasks>({
    script: new URL("check-thread.ts", import.meta.url),
    maxThreads: 2,
    memoryMb: 256,
  });

  readonly run: RunChecks = (check, options) => this.#threads.run("checkData", check, options);

  async close(): Promise<void> {
    await this.#threads.close();
  }
}
