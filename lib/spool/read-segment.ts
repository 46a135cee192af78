import { type FileHandle, open } from "node:fs/promises";
import { errorCode } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { findFrames, type ReadRules } from "./records/find-frames.ts";
import { readRecord } from "./records/record.ts";
import type { Segment, UnreadablePart } from "./segment.ts";
import type { SizedBatch } from "./spool.ts";

type ReadSegment = {
  readonly batches: readonly SizedBatch[];
  readonly unreadable: readonly UnreadablePart[];
  /** The file, with what it turned out to have. */
  readonly read: Segment;
};

/** The records of a file, and everything in between that isn't one. */
export async function readSegment(segment: Segment, rules: ReadRules): Promise<ReadSegment> {
  const { file, isWhole } = await readAll(segment);
  const batches: SizedBatch[] = [];
  const unreadable: UnreadablePart[] = [];
  for (const frame of findFrames(file, rules)) {
    const { at, end } = frame;
    if (frame.kind === "record") batches.push({ batch: readRecord(file, frame), bytes: end - at });
    else unreadable.push({ at, bytes: file.subarray(at, end), fault: frame.fault });
  }
  const sum = (read: (one: SizedBatch) => number) =>
    batches.reduce((total, one) => total + read(one), 0);
  const read = {
    ...segment,
    bytes: sum(({ bytes }) => bytes),
    deliveries: sum(({ batch }) => batch.deliveries.length),
    isKept: !isWhole,
  };
  const missing = segment.deliveries - read.deliveries;
  if (!segment.isLeft && file.length < segment.bytes)
    log.error("spool.file_shortened", { file: segment.path, deliveries: missing });
  return { batches, unreadable, read };
}

const pageBytes = 4_096;

type ReadFile = {
  readonly file: Buffer;
  /** False: the disk couldn't read some of it, and zeros are in its place. */
  readonly isWhole: boolean;
};

async function readAll({ path, bytes, endsAt }: Segment): Promise<ReadFile> {
  let handle: FileHandle;
  try {
    handle = await open(path);
  } catch (error) {
    // Someone has deleted it. `endSegment` says so.
    if (errorCode(error) !== "ENOENT") throw error;
    return { file: Buffer.alloc(0), isWhole: true };
  }
  try {
    const { size } = await handle.stat();
    return await readUpTo(handle, endsAt ?? Math.max(size, bytes));
  } finally {
    await handle.close();
  }
}

async function readUpTo(handle: FileHandle, length: number): Promise<ReadFile> {
  const file = Buffer.alloc(length);
  let isWhole = true;
  for (let at = 0; at < length; ) {
    // After a page that the disk can't read, each one is read by itself.
    const count = isWhole ? length - at : Math.min(pageBytes, length - at);
    try {
      const { bytesRead } = await handle.read(file, at, count, at);
      if (bytesRead === 0) return { file: file.subarray(0, at), isWhole };
      at += bytesRead;
    } catch (error) {
      if (errorCode(error) !== "EIO") throw error;
      if (!isWhole) at += count;
      isWhole = false;
    }
  }
  return { file, isWhole };
}
