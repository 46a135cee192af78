import { serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { headBytes, toRecord } from "../record.ts";

/** A whole record as a newer version of Catchment would write it. */
export function newerRecord(payload = serialize({ version: 2, parcels: ["unknown"] })): Buffer {
  const head = toRecord([], 1).subarray(0, headBytes);
  const record = Buffer.concat([head, payload]);
  record.writeUInt32LE(payload.length, 0);
  record.writeUInt32LE(1, 8);
  record.writeUInt32LE(crc32(record.subarray(8)), 4);
  return record;
}
