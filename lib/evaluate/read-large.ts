import type { ReadEvents } from "#lib/core/verify/batch/read-events.ts";
import { ThreadPool } from "#lib/threads/thread-pool.ts";
import { type ReadLarge, type readEventsTask, toBuffer } from "./read-events-task.ts";

type CatchTasks = { readonly readEvents: typeof readEventsTask };

/**
 * The limit of CPU time. The wall-clock time is at most four times as long, which leaves a second
 * for storing.
 */
const readLimitMs = 750;
const maxWaitMs = 1_000;

/** Large bodies are read in threads: two at a time, and accounts take turns. */
export class LargeReader {
  readonly #threads = new ThreadPool<CatchTasks>({
    script: new URL("evaluate-thread.ts", import.meta.url),
  });

  readonly read: ReadLarge = async (accountId, input) => {
    const options = { accountId, limitsMs: { run: readLimitMs }, maxWaitMs };
    const outcome = await this.#threads.run("readEvents", input, options);
    return outcome.kind === "done" ? withBuffers(outcome.value) : null;
  };

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

/** Bytes leave a thread as plain arrays. */
function withBuffers(read: ReadEvents): ReadEvents {
  if (read.invalid !== null) return read;
  return { ...read, whole: restore(read.whole), parts: read.parts?.map(restore) ?? null };
}

function restore<Value extends object>(value: Value): Value {
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    item instanceof Uint8Array ? toBuffer(item) : item,
  ]);
  return Object.fromEntries(entries);
}
