import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { headBytes, type RecordFault, timeOf } from "./records/record.ts";

/** A file of the spool with its records. */
export type Segment = {
  readonly path: string;
  readonly bytes: number;
  readonly deliveries: number;
  /** The time of its first record, in Unix milliseconds. */
  readonly firstAtMs: number;
  /** By a process that is dead, so that no one knows what it should contain. */
  readonly isLeft: boolean;
  /** Records behind it were never acknowledged. Null: nothing of the kind. */
  readonly endsAt: number | null;
  /** The disk can't read all of it, so it is kept for a person. */
  readonly isKept: boolean;
};

/** Bytes of a file that aren't a record of this server. */
export type UnreadablePart = {
  readonly at: number;
  readonly bytes: Buffer;
  readonly fault: RecordFault;
};

/**
 * A file that a dead process left. It is read once its turn comes. Until then it counts as one delivery.
 *
 * @returns null if nothing is in it
 */
export async function findLeft(path: string): Promise<Segment | null> {
  const { size, mtimeMs } = await stat(path);
  if (size === 0) return null;
  // One that can't be read says so once its turn comes.
  const atMs = await readFirstTime(path).catch(() => 0);
  const firstAtMs = atMs > 0 && atMs < mtimeMs ? atMs : mtimeMs;
  return { path, bytes: size, deliveries: 1, firstAtMs, isLeft: true, endsAt: null, isKept: false };
}

async function readFirstTime(path: string): Promise<number> {
  const handle = await open(path);
  try {
    const { buffer } = await handle.read(Buffer.alloc(headBytes));
    return timeOf(buffer, 0);
  } finally {
    await handle.close();
  }
}

/** Removes a file once its records are stored, or keeps it. Someone may have deleted it since. */
export async function endSegment({ path, isKept }: Segment, aside: string): Promise<void> {
  try {
    if (!isKept) return await rm(path);
    const file = join(aside, `${nameOf(path)}-${newId()}.damaged`);
    await rename(path, file);
    log.error("spool.file_damaged", { file, fault: "disk" });
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    log.error("spool.file_gone", { file: path });
  }
}

/**
 * Keeps a part of a file that isn't a record of this server. Its name is the same if the file is read again
 * after a crash.
 */
export async function setPartAside(
  path: string,
  { at, bytes, fault }: UnreadablePart,
  aside: string,
): Promise<void> {
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  const file = join(aside, `${nameOf(path)}-at-${at}-${digest}.damaged`);
  await writeFile(file, bytes, { mode: 0o600, flush: true });
  await syncFolder(aside);
  log.error("spool.file_damaged", { file, fault, bytes: bytes.length });
}

/** `writer-1-000000000001`. */
function nameOf(path: string): string {
  return `${basename(dirname(path))}-${basename(path, segmentEnd)}`;
}

export const segmentEnd = ".spool";

/** A new file that records are appended to, one at a time. */
export class SegmentWriter {
  readonly #handle: FileHandle;
  #segment: Segment;
  #isBroken = false;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#segment = {
      path,
      bytes: 0,
      deliveries: 0,
      firstAtMs: 0,
      isLeft: false,
      endsAt: null,
      isKept: false,
    };
  }

  static async create(path: string): Promise<SegmentWriter> {
    const handle = await open(path, "wx", 0o600);
    try {
      await syncFolder(dirname(path));
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new SegmentWriter(handle, path);
  }

  get segment(): Segment {
    return this.#segment;
  }

  /** Once a record couldn't be written or synchronized, what the disk holds of it is unknown. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Settles once the record is on the disk. */
  async append(record: Buffer, deliveries: number, atMs: number): Promise<void> {
    const { bytes, firstAtMs } = this.#segment;
    try {
      await writeWhole(this.#handle, record, bytes);
      await this.#handle.datasync();
    } catch (error) {
      this.#isBroken = true;
      this.#segment = { ...this.#segment, endsAt: bytes };
      // It must not be stored later: its sender was told to send it again. If it can't be cut off
      // either, it is stored, and the event's key makes what is sent again a duplicate.
      await this.#handle.truncate(bytes).catch(() => {});
      throw error;
    }
    this.#segment = {
      ...this.#segment,
      bytes: bytes + record.length,
      deliveries: this.#segment.deliveries + deliveries,
      firstAtMs: bytes === 0 ? atMs : firstAtMs,
    };
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function writeWhole(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

/** Makes new names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
