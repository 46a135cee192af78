import type { ReadEvents } from "#lib/core/sending/read-published-event.ts";
import type { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { PublishTarget } from "./publish-target.ts";
import { type PublishTasks, readBody } from "./publish-tasks.ts";

/** Reading takes about 20 ms per megabyte, so larger bodies are read in a thread. */
const maxBytesAtOnce = 256 * 1024;
const readLimitMs = 750;
const maxWaitMs = 1_000;

/** Reads the bodies of requests. In threads, accounts take turns. */
export class EventReader {
  readonly #threads: ThreadPool<PublishTasks>;

  constructor(threads: ThreadPool<PublishTasks>) {
    this.#threads = threads;
  }

  /** Reads a body. Null: it took too long. */
  readonly read = async (
    accountId: string,
    target: PublishTarget,
    body: Uint8Array,
  ): Promise<ReadEvents | null> => {
    const input = { target, body };
    if (body.byteLength <= maxBytesAtOnce) return readBody(input);
    const options = { accountId, limitsMs: { run: readLimitMs }, maxWaitMs };
    const outcome = await this.#threads.run("readBody", input, options);
    return outcome.kind === "done" ? outcome.value : null;
  };
}
