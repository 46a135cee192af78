import { createHmac, timingSafeEqual } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { markBytes, type RecordKey, type RecordKeys, signedByte } from "./record-keys.ts";

/**
 * A record of a spool:
 *
 *     length of the payload (4 bytes) · CRC-32 of what follows (4) · deliveries (4) · time (8) · payload
 *
 * The payload is signed:
 *
 *     mark (16) · id of the key (6) · HMAC-SHA-256 of deliveries, time, and content (32) · content
 *
 * The content is V8's own format, which newer versions of Node can read. It keeps bytes as bytes. It is read
 * only once its signature is known to be right. The checksum is for versions that knew no signature: they
 * find a record that they can't read, and leave it for this one.
 */
export const headBytes = 20;
const version = 2;
const idBytes = 6;
const macBytes = 32;
const sealBytes = markBytes + idBytes + macBytes;

export function toRecord(deliveries: readonly NewDelivery[], atMs: number, key: RecordKey): Buffer {
  return signRecord(serialize({ version, deliveries }), deliveries.length, atMs, key);
}

export function signRecord(
  content: Uint8Array,
  deliveries: number,
  atMs: number,
  { id, key, mark }: RecordKey,
): Buffer {
  const record = Buffer.allocUnsafe(headBytes + sealBytes + content.length);
  record.writeUInt32LE(sealBytes + content.length, 0);
  record.writeUInt32LE(deliveries, 8);
  record.writeDoubleLE(atMs, 12);
  record.set(mark, headBytes);
  record.set(id, headBytes + markBytes);
  record.set(content, headBytes + sealBytes);
  record.set(macOf(record, 0, record.length, key), headBytes + markBytes + idBytes);
  record.writeUInt32LE(crc32(record.subarray(8)), 4);
  return record;
}

/** The same signed record with another key. */
export function signAgain(record: Buffer, key: RecordKey): Buffer {
  const content = record.subarray(headBytes + sealBytes);
  return signRecord(content, record.readUInt32LE(8), timeOf(record, 0), key);
}

function macOf(file: Buffer, at: number, end: number, key: Uint8Array): Buffer {
  return createHmac("sha256", key)
    .update(file.subarray(at + 8, at + headBytes))
    .update(file.subarray(at + headBytes + sealBytes, end))
    .digest();
}

/** A record that this server has written. */
export type FoundRecord = {
  readonly kind: "record";
  readonly at: number;
  readonly end: number;
  readonly deliveries: number;
  readonly atMs: number;
  readonly isSigned: boolean;
};

/**
 * `cut_off`: it ends before its end. `unsigned`: by a version that knew no signatures, or by someone else.
 * `unknown_key`: signed with a key that isn't configured.
 */
export type RecordFault = "damaged" | "cut_off" | "unsigned" | "unknown_key";

type Unreadable = {
  readonly kind: "unreadable";
  readonly at: number;
  readonly end: number;
  readonly fault: RecordFault;
};

export type Frame = FoundRecord | Unreadable;

/** The frame at an offset by its own length. What comes behind it may be anything. */
export function frameAt(
  file: Buffer,
  at: number,
  keys: RecordKeys,
  trustsUnsigned: boolean,
): Frame {
  const unreadable = (fault: RecordFault, end: number): Unreadable => ({
    ...{ kind: "unreadable", at, end, fault },
  });
  if (at + headBytes >= file.length) return unreadable("cut_off", file.length);
  const end = at + headBytes + file.readUInt32LE(at);
  if (end > file.length) return unreadable("cut_off", file.length);
  if (isSignedUpTo(file, at, end, keys)) return toFound(file, at, end, true);
  if (crc32(file.subarray(at + 8, end)) !== file.readUInt32LE(at + 4))
    return unreadable("damaged", end);
  if (file[at + headBytes] !== signedByte)
    return trustsUnsigned ? toFound(file, at, end, false) : unreadable("unsigned", end);
  // Its checksum is right, so nothing has changed it by accident.
  return unreadable(findKey(file, at, keys) === undefined ? "unknown_key" : "damaged", end);
}

export function toFound(file: Buffer, at: number, end: number, isSigned: boolean): FoundRecord {
  const deliveries = file.readUInt32LE(at + 8);
  return { kind: "record", at, end, deliveries, atMs: timeOf(file, at), isSigned };
}

/** The time in the head of the record at an offset, which may be damaged. */
export function timeOf(file: Buffer, at: number): number {
  return file.readDoubleLE(at + 12);
}

/** True if the bytes between two offsets are a record that a key of this server has signed. */
export function isSignedUpTo(file: Buffer, at: number, end: number, keys: RecordKeys): boolean {
  if (end > file.length || end - at < headBytes + sealBytes) return false;
  const known = findKey(file, at, keys);
  if (known === undefined) return false;
  const macAt = at + headBytes + markBytes + idBytes;
  return timingSafeEqual(macOf(file, at, end, known.key), file.subarray(macAt, macAt + macBytes));
}

/** Undefined: its payload doesn't begin with a mark of this server. */
function findKey(
  file: Buffer,
  at: number,
  { current, previous }: RecordKeys,
): RecordKey | undefined {
  const mark = file.subarray(at + headBytes, at + headBytes + markBytes);
  return [current, ...previous].find((key) => key.mark.equals(mark));
}

/** The id of the key that the signed record at an offset names. */
export function keyIdOf(file: Buffer, at: number): string {
  const start = at + headBytes + markBytes;
  return file.toString("hex", start, start + idBytes);
}

/** The deliveries of one batch, in the order in which they were accepted. */
export type SpooledBatch = {
  /** When they were acknowledged, in Unix milliseconds. */
  readonly atMs: number;
  readonly deliveries: readonly NewDelivery[];
};

export function readRecord(file: Buffer, { at, end, atMs, isSigned }: FoundRecord): SpooledBatch {
  const start = at + headBytes + (isSigned ? sealBytes : 0);
  const content = toContent(file.subarray(start, end));
  if (content.version !== (isSigned ? version : 1)) throw new SpoolVersionError();
  return { atMs, deliveries: content.deliveries };
}

type Content = { readonly version: number; readonly deliveries: readonly NewDelivery[] };

/** It is as it was written, so what V8 can't read is the format of another V8. */
function toContent(bytes: Buffer): Content {
  try {
    return deserialize(bytes) as Content;
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
