import { crc32c } from "./crc32c.ts";
import { bytes, int8, int16, int32, int64, varint } from "./wire.ts";

export type KafkaRecord = {
  readonly key: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly value: Uint8Array;
  /** Unix time. */
  readonly timestampMs: number;
};

const format = 2;
const none = -1;

/** A batch of one record, without compression: https://kafka.apache.org/documentation/#recordbatch. */
export function toRecordBatch({ key, headers, value, timestampMs }: KafkaRecord): Buffer {
  const record = Buffer.concat([
    ...[int8(0), varint(0), varint(0)],
    ...[sized(Buffer.from(key)), sized(value), varint(headers.length)],
    ...headers.flatMap(([name, text]) => [sized(Buffer.from(name)), sized(Buffer.from(text))]),
  ]);
  const checked = Buffer.concat([
    ...[int16(0), int32(0), int64(timestampMs), int64(timestampMs)],
    // No producer id: a record that is sent again is another one.
    ...[int64(none), int16(none), int32(none), int32(1)],
    sized(record),
  ]);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32c(checked));
  const batch = Buffer.concat([int32(none), int8(format), crc, checked]);
  return Buffer.concat([int64(0), bytes(batch)]);
}

function sized(value: Uint8Array): Buffer {
  return Buffer.concat([varint(value.byteLength), value]);
}
