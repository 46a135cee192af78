/** A frame is its size, its kind, and its bytes. Sockets deliver parts of frames, or several at once. */
const headBytes = 5;
/** A batch of catch has 8 MiB or one body. What is larger isn't a frame of ours. */
const maxFrameBytes = 64 * 1024 * 1024;

/** A worker's message, as JSON. */
export const controlKind = 1;
/** Runs that a catch process hands over. */
export const runsKind = 2;

export type Frame = { readonly kind: number; readonly bytes: Buffer };

export function toFrame(kind: number, parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const frame = Buffer.allocUnsafe(headBytes + size);
  frame.writeUInt32LE(size, 0);
  frame[4] = kind;
  let offset = headBytes;
  for (const part of parts) {
    frame.set(part, offset);
    offset += part.byteLength;
  }
  return frame;
}

/** Puts frames together from what a socket delivers. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;
  /** The size of the frame that is arriving, with its head. 0: not known yet. */
  #wanted = 0;

  /** @returns the frames that are complete. Throws if it can't be a frame */
  read(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    const frames: Frame[] = [];
    while (this.#size >= (this.#wanted || headBytes)) {
      if (this.#wanted === 0) {
        this.#wanted = headBytes + this.#join().readUInt32LE(0);
        if (this.#wanted > maxFrameBytes) throw new Error(`A frame of ${this.#wanted} bytes`);
        continue;
      }
      const bytes = this.#join();
      frames.push({ kind: bytes[4] ?? 0, bytes: bytes.subarray(headBytes, this.#wanted) });
      this.#keep(bytes.subarray(this.#wanted));
    }
    return frames;
  }

  #join(): Buffer {
    const [only] = this.#chunks;
    const joined =
      this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.byteLength === 0 ? [] : [rest];
    this.#size = rest.byteLength;
    this.#wanted = 0;
  }
}
