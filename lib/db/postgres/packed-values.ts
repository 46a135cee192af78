/**
 * Large texts and bytes of a batch as one parameter, which the statement splits by position and
 * size. In an array, each value would have to be escaped, and read character by character. Cutting
 * is as cheap for the last value as for the first.
 */
export class PackedValues {
  readonly #values: (string | Uint8Array)[] = [];
  readonly #sizes: number[] = [];
  #total = 0;

  /** @returns its size in bytes (null: there is none), and where it starts, counted from 1 */
  add(value: string | Uint8Array | null): Place {
    if (value === null) return { start: null, size: null };
    const size = typeof value === "string" ? Buffer.byteLength(value) : value.byteLength;
    const start = this.#total + 1;
    this.#values.push(value);
    this.#sizes.push(size);
    this.#total += size;
    return { start, size };
  }

  toBytes(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#total);
    let offset = 0;
    for (const [index, value] of this.#values.entries()) {
      if (typeof value === "string") bytes.write(value, offset);
      else bytes.set(value, offset);
      offset += this.#sizes[index] ?? 0;
    }
    return bytes;
  }
}

/** A position, for `substring(bytes from start for size)`. */
type Place = { readonly start: number | null; readonly size: number | null };
