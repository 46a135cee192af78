import { randomFillSync } from "node:crypto";

/**
 * UUIDv7 (RFC 9562 §5.7): time-ordered, so that the newest rows stay together on the right edge of
 * every index, and so that partitions by id are partitions by time. Ids of one process rise
 * strictly, also when many are made in one millisecond or the clock steps back by less than an hour:
 * by more, it was wrong before, and ids must not stay in a later week.
 */
export function newId(): string {
  const nowMs = Date.now();
  if (nowMs > lastMs || nowMs < lastMs - maxStepBackMs) {
    lastMs = nowMs;
    sequence = randomUint16() & 0x7ff;
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      lastMs += 1;
      sequence = 0;
    }
  }
  const time = lastMs.toString(16).padStart(12, "0");
  const head = `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, "0")}`;
  const tail = randomTail();
  return `${head}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

const maxStepBackMs = 3_600_000;

let lastMs = 0;
let sequence = 0;

// One call to the random generator serves many ids: it is the most expensive part.
const pool = Buffer.alloc(8 * 512);
let poolOffset = pool.length;

function randomTail(): string {
  const offset = takeRandom(8);
  pool[offset] = ((pool[offset] ?? 0) & 0x3f) | 0x80;
  return pool.toString("hex", offset, offset + 8);
}

function randomUint16(): number {
  return pool.readUInt16BE(takeRandom(8));
}

function takeRandom(length: number): number {
  if (poolOffset + length > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const offset = poolOffset;
  poolOffset += length;
  return offset;
}

/** When an id was made, in Unix milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The text form of an id, from its 32 hexadecimal digits. */
export function hexToId(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is an id in the format of {@link newId}. Anything else can't be an id. */
export function isId(text: string): boolean {
  return uuidPattern.test(text);
}
