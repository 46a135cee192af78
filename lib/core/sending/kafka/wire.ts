/** The types of Kafka's protocol: https://kafka.apache.org/protocol.html#protocol_types. */

export function int8(value: number): Buffer {
  const bytes = Buffer.alloc(1);
  bytes.writeInt8(value);
  return bytes;
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export function int64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

/** Null: NULLABLE_STRING. */
export function string(text: string | null): Buffer {
  if (text === null) return int16(-1);
  const bytes = Buffer.from(text);
  return Buffer.concat([int16(bytes.length), bytes]);
}

export function bytes(value: Uint8Array): Buffer {
  return Buffer.concat([int32(value.byteLength), value]);
}

export function array(items: readonly Buffer[]): Buffer {
  return Buffer.concat([int32(items.length), ...items]);
}

/** VARINT: zigzag, seven bits in a byte, the lowest first. */
export function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  for (; rest > 127; rest >>>= 7) out.push((rest & 127) | 128);
  out.push(rest);
  return Buffer.from(out);
}

/** Reads values one after the other. Throws a `RangeError` behind the end. */
export class KafkaReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(from: Buffer) {
    this.#bytes = from;
  }

  int8 = (): number => this.#bytes.readInt8(this.#skip(1));
  int16 = (): number => this.#bytes.readInt16BE(this.#skip(2));
  int32 = (): number => this.#bytes.readInt32BE(this.#skip(4));
  int64 = (): bigint => this.#bytes.readBigInt64BE(this.#skip(8));
  /** Empty: it is null. */
  string = (): string => this.#take(this.int16()).toString();
  bytes = (): Buffer => this.#take(this.int32());

  /** None: it is null. Every item has at least one byte, so the end is found before memory is. */
  array<Item>(read: () => Item): readonly Item[] {
    const items: Item[] = [];
    for (let left = this.int32(); left > 0; left -= 1) items.push(read());
    return items;
  }

  #skip(count: number): number {
    this.#at += count;
    return this.#at - count;
  }

  #take(length: number): Buffer {
    const start = this.#skip(Math.max(length, 0));
    if (this.#at > this.#bytes.length) throw new RangeError("The value is longer than the rest.");
    return this.#bytes.subarray(start, this.#at);
  }
}
