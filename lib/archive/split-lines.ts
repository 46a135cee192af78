/** Lines that end with the last byte of a part, and how many they are. */
export type Lines = { readonly bytes: Buffer; readonly rows: number };

/**
 * Cuts a stream of lines into parts of about `partBytes`. Only a longer line makes a larger part, so
 * memory is bounded by that.
 */
export async function* splitLines(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Lines> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    const end = size + chunk.length < partBytes ? 0 : chunk.lastIndexOf(newline) + 1;
    if (end > 0) {
      yield toLines([...chunks, chunk.subarray(0, end)]);
      [chunks, size] = [[], 0];
    }
    const rest = chunk.subarray(end);
    if (rest.length === 0) continue;
    chunks.push(rest);
    size += rest.length;
  }
  if (size > 0) yield toLines(chunks);
}

const newline = 10;

function toLines(chunks: readonly Buffer[]): Lines {
  const bytes = Buffer.concat(chunks);
  return { bytes, rows: countLines(bytes) };
}

export function countLines(bytes: Buffer): number {
  let rows = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) rows += 1;
  return rows;
}
