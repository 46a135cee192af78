import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

/** The POSIX ustar format, as far as a backup needs it: plain files with short names. */
export class TarWriter {
  readonly #file: FileHandle;
  readonly #modified: number;
  readonly #hash = createHash("sha256");
  #position = 0;

  constructor(file: FileHandle, now: Date) {
    this.#file = file;
    this.#modified = Math.floor(now.getTime() / 1_000);
  }

  async add(name: string, bytes: Uint8Array): Promise<void> {
    const padding = Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes);
    await this.#write(writeHeader(name, bytes.length, this.#modified));
    await this.#write(bytes);
    await this.#write(padding);
  }

  /** SHA-256 of everything so far, in hexadecimal. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  /** Two empty blocks end the archive. @returns its size in bytes */
  async end(): Promise<number> {
    await this.#write(Buffer.alloc(2 * blockBytes));
    return this.#position;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written);
      written += bytesWritten;
    }
    this.#hash.update(bytes);
    this.#position += bytes.length;
  }
}

export type TarEntry = {
  readonly name: string;
  readonly bytes: Buffer;
  /** SHA-256 of everything before this entry, in hexadecimal. */
  readonly digestBefore: string;
};

/** Larger entries are never written, so a larger one is damage. */
const maxEntryBytes = 64 * 1024 * 1024;

/** Reads the entries in order. Throws a `TarError` for an archive that is damaged or cut off. */
export async function* readTar(file: FileHandle): AsyncGenerator<TarEntry> {
  const hash = createHash("sha256");
  let position = 0;
  while (true) {
    const header = await readExactly(file, position, blockBytes);
    if (header.every((byte) => byte === 0)) return;
    const { name, size } = readHeader(header);
    const padded = Math.ceil(size / blockBytes) * blockBytes;
    const blocks = await readExactly(file, position + blockBytes, padded);
    yield { name, bytes: blocks.subarray(0, size), digestBefore: hash.copy().digest("hex") };
    hash.update(header).update(blocks);
    position += blockBytes + padded;
  }
}

class TarError extends Error {
  override readonly name = "TarError";
}

const blockBytes = 512;

function writeHeader(name: string, size: number, modified: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new RangeError(`${name} is too long for an archive`);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0);
  header.write("0000600\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${octal(size, 11)}\0`, 124);
  header.write(`${octal(modified, 11)}\0`, 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\u000000", 257);
  header.write(`${octal(sum(header), 6)}\0 `, 148);
  return header;
}

function readHeader(header: Buffer): { readonly name: string; readonly size: number } {
  const checksum = Number.parseInt(header.toString("latin1", 148, 154), 8);
  const blank = Buffer.from(header);
  blank.write("        ", 148);
  if (checksum !== sum(blank)) throw new TarError("It isn't an archive, or it is damaged.");
  const name = header.toString("utf8", 0, 100).replace(/\0.*$/s, "");
  const size = Number.parseInt(header.toString("latin1", 124, 135), 8);
  if (!(size >= 0 && size <= maxEntryBytes)) throw new TarError(`${name} has no valid size.`);
  return { name, size };
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function sum(header: Buffer): number {
  return header.reduce((total, byte) => total + byte, 0);
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) throw new TarError("It is cut off.");
    read += bytesRead;
  }
  return bytes;
}
