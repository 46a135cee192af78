import { serialize } from "node:v8";
import { crc32 } from "node:zlib";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";

/** A record as the version without signatures wrote it. */
export function unsignedRecord(deliveries: readonly NewDelivery[], atMs = 1): Buffer {
  const payload = serialize({ version: 1, deliveries });
  const record = Buffer.concat([Buffer.alloc(20), payload]);
  record.writeUInt32LE(payload.length, 0);
  record.writeUInt32LE(deliveries.length, 8);
  record.writeDoubleLE(atMs, 12);
  record.writeUInt32LE(crc32(record.subarray(8)), 4);
  return record;
}
