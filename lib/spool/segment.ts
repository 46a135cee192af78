import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { headBytes, timeOf } from "./record.ts";

/** A file of the spool with its records. */
export type Segment = {
  readonly path: string;
  readonly bytes: number;
  readonly deliveries: number;
  /** The time of its first record, in Unix milliseconds. */
  readonly firstAtMs: number;
  /** Its last record may be one whose writing was interrupted, so that no sender was told that it is durable. */
  readonly isLeft: boolean;
  /** It was changed after its last whole record. */
  readonly isDamaged: boolean;
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
  return { path, bytes: size, deliveries: 1, firstAtMs, isLeft: true, isDamaged: false };
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

/**
 * Removes a file once its records are stored. Keeps one that was changed for a person. One that someone
 * has deleted must not keep the next one from being drained.
 */
export async function endSegment({ path, isDamaged }: Segment, aside: string): Promise<void> {
  if (!isDamaged) return await rm(path, { force: true });
  const name = `${basename(dirname(path))}-${basename(path, segmentEnd)}-${newId()}.damaged`;
  try {
    await rename(path, join(aside, name));
    log.error("spool.file_damaged", { file: join(aside, name) });
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    log.error("spool.file_gone", { file: path });
  }
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
      isDamaged: false,
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
