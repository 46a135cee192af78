/**
 * A multipart body for people: parts that aren't text are their sizes, such as `[binary, 1,234 bytes]`, and
 * everything else is as it is sent. Runs in browsers, too.
 *
 * @returns null: it isn't multipart, or has no boundary
 */
export function showMultipart(bytes: Uint8Array, contentType: string): string | null {
  const found = /^multipart\/[^;]+;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/is.exec(
    contentType,
  );
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) return null;
  const mark = `--${boundary}`;
  const shown: string[] = [];
  for (let start = 0; ; ) {
    const end = find(bytes, mark, start);
    shown.push(showPart(bytes.subarray(start, end === -1 ? undefined : end)));
    if (end === -1) return shown.join(mark);
    start = end + mark.length;
  }
}

/** @returns `[binary, 1,234 bytes]` */
export function showSize(byteLength: number): string {
  return `[binary, ${byteLength.toLocaleString("en-US")} ${byteLength === 1 ? "byte" : "bytes"}]`;
}

/** The text of bytes that are UTF-8. Null: they aren't. */
function readText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A part is its head, an empty line, its content, and the line break before the next boundary. */
function showPart(part: Uint8Array): string {
  const text = readText(part);
  if (text !== null) return text;
  const blank = find(part, "\r\n\r\n", 0);
  const head = blank === -1 ? null : readText(part.subarray(0, blank + 4));
  if (head === null) return showSize(part.byteLength);
  const hasBreak = part.at(-2) === 13 && part.at(-1) === 10;
  const end = hasBreak ? part.byteLength - 2 : part.byteLength;
  return `${head}${showSize(end - blank - 4)}${hasBreak ? "\r\n" : ""}`;
}

/**
 * Looks at few of the bytes (Horspool), because a file has megabytes of them.
 *
 * @param wanted of ASCII
 * @returns -1: it isn't there
 */
function find(bytes: Uint8Array, wanted: string, from: number): number {
  const codes = Uint8Array.from(wanted, (character) => character.charCodeAt(0));
  const last = codes.length - 1;
  const steps = new Uint8Array(256).fill(codes.length);
  for (const [at, code] of codes.subarray(0, last).entries()) steps[code] = last - at;
  for (let end = from + last; end < bytes.length; end += steps[bytes[end] ?? 0] ?? 1) {
    let count = 0;
    while (count <= last && bytes[end - count] === codes[last - count]) count += 1;
    if (count > last) return end - last;
  }
  return -1;
}
