import { once } from "#lib/base/once.ts";

/** The checksum of RFC 3720 (Castagnoli), which `node:zlib` doesn't have. */
export function crc32c(bytes: Uint8Array): number {
  const table = readTable();
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const readTable = once(() =>
  Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1)
      value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
    return value >>> 0;
  }),
);
