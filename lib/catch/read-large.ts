import { type ReadEvents, type ReadEventsInput, readEvents } from "#lib/core/batch/read-events.ts";
import { readUnpacked, type UnpackedBody } from "#lib/core/payload/read-by-bytes.ts";
import { ThreadPool } from "#lib/threads/thread-pool.ts";

export type ReadLargeInput = ReadEventsInput & {
  readonly contentType: string | null;
  readonly unpacked: UnpackedBody;
  /** Of what was signed, where the hook protects from replays. */
  readonly signedHash: Uint8Array | null;
};

/** Reads a large body where nobody waits for it; null: it took too long. */
export type ReadLarge = (accountId: string, input: ReadLargeInput) => Promise<ReadEvents | null>;

export type CatchTasks = { readonly readEvents: typeof readEventsTask };

/** Runs in a thread. */
export function readEventsTask({
  unpacked,
  contentType,
  signedHash,
  ...input
}: ReadLargeInput): ReadEvents {
  const hashSigned = signedHash === null ? undefined : () => toBuffer(signedHash);
  const read = readEvents(input, readUnpacked(unpacked, contentType), hashSigned);
  if (read.invalid !== null || read.parts === null) return read;
  // What was read of the events would only be copied.
  return { ...read, parts: read.parts.map((part) => ({ ...part, payload: undefined })) };
}

/** By the clock it is at most four times as much, which leaves a second to store it in. */
const readLimitMs = 750;
const maxWaitMs = 1_000;

/** Large bodies are read in threads: two at a time, accounts take turns. */
export class LargeReader {
  readonly #threads = new ThreadPool<CatchTasks>({
    script: new URL("catch-thread.ts", import.meta.url),
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

/** Bytes come out of a thread as plain arrays of bytes. */
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

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
