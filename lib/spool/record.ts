import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { SpooledBatch } from "./spool.ts";

/**
 * A record of a spool file:
 *
 *     length of the payload (4 bytes) · CRC-32 of what follows (4) · deliveries (4) · time (8) · payload
 *
 * The payload is V8's own format, which newer versions of Node can read. It keeps bytes as bytes.
 */
export const headBytes = 20;
const version = 1;

export function toRecord(deliveries: readonly NewDelivery[], atMs: number): Buffer {
  const payload = serialize({ version, deliveries });
  const record = Buffer.allocUnsafe(headBytes + payload.length);
  record.writeUInt32LE(payload.length, 0);
  record.writeUInt32LE(deliveries.length, 8);
  record.writeDoubleLE(atMs, 12);
  record.set(payload, headBytes);
  record.writeUInt32LE(crc32(record.subarray(8)), 4);
  return record;
}

type FoundRecord = {
  readonly deliveries: number;
  readonly atMs: number;
  readonly end: number;
};

/**
 * The record at an offset. `torn`: its writing was interrupted, so no sender was told that it is
 * durable. `damaged`: the file was changed afterwards.
 */
export function findRecord(file: Buffer, at: number): FoundRecord | "end" | "torn" | "damaged" {
  if (at === file.length) return "end";
  const end = endOfWhole(file, at);
  if (end !== null) return { deliveries: file.readUInt32LE(at + 8), atMs: timeOf(file, at), end };
  if (at + headBytes > file.length) return "torn";
  // A file system may have made the file longer before it wrote the bytes.
  const isLast =
    at + headBytes + file.readUInt32LE(at) >= file.length ||
    file.subarray(at).every((byte) => byte === 0);
  // Otherwise a changed length would make everything after it part of an interrupted record.
  return isLast && !isRecordAfter(file, at) ? "torn" : "damaged";
}

/** The time in the head of the record at an offset, which may be damaged. */
export function timeOf(file: Buffer, at: number): number {
  return file.readDoubleLE(at + 12);
}

/** The end of the record at an offset. Null: there is no whole one. */
function endOfWhole(file: Buffer, at: number): number | null {
  if (at + headBytes > file.length) return null;
  const end = at + headBytes + file.readUInt32LE(at);
  if (end > file.length) return null;
  return crc32(file.subarray(at + 8, end)) === file.readUInt32LE(at + 4) ? end : null;
}

/** V8 begins each payload with this byte. */
const payloadMark = 0xff;
/** More than a batch ever has. Nearly all of what looks like a record within a body has more. */
const maxDeliveries = 1_000_000;
/** A body may be made to look like many records. After this much, the file is kept for a person. */
const maxCheckedBytes = 512 * 1024 * 1024;

/** True if a whole record begins somewhere behind an offset, or that can't be known in time. */
function isRecordAfter(file: Buffer, at: number): boolean {
  let checked = 0;
  for (let mark = at + headBytes; mark !== -1; mark = file.indexOf(payloadMark, mark + 1)) {
    const start = mark - headBytes;
    if (start === at) continue;
    const end = mark + file.readUInt32LE(start);
    if (end > file.length || file.readUInt32LE(start + 8) > maxDeliveries) continue;
    checked += end - start;
    if (checked > maxCheckedBytes || endOfWhole(file, start) !== null) return true;
  }
  return false;
}

export function readRecord(file: Buffer, at: number, { atMs, end }: FoundRecord): SpooledBatch {
  const payload = toPayload(file.subarray(at + headBytes, end));
  if (payload.version !== version) throw new SpoolVersionError();
  return { atMs, deliveries: payload.deliveries };
}

type Payload = { readonly version: number; readonly deliveries: readonly NewDelivery[] };

/** Its checksum is right, so what V8 can't read is the format of another V8. */
function toPayload(bytes: Buffer): Payload {
  try {
    return deserialize(bytes) as Payload;
  } catch (error) {
    throw new SpoolVersionError({ cause: error });
  }
}

/** A whole record that another version of Catchment wrote. That version can store it. */
export class SpoolVersionError extends Error {
  readonly code = "SPOOL_VERSION";

  constructor(options?: ErrorOptions) {
    super("Another version of Catchment wrote this, and this one can't read it.", options);
  }
}
