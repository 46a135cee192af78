/**
 * A multipart body with files that aren't text, in which their sizes stand for them.
 *
 * @param base64 the body
 * @returns null: it is another body
 */
export function showMultipart(base64: string, contentType: string): string | null {
  const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(contentType)?.[1];
  if (boundary === undefined) return null;
  const parts = atob(base64).split(`--${boundary}`);
  return parts.map(showPart).join(`--${boundary}`);
}

/** @param part a character for each byte */
function showPart(part: string): string {
  const start = part.indexOf("\r\n\r\n") + 4;
  const content = part.slice(start, -2);
  const text = readText(part);
  if (start < 4 || text !== null) return text ?? part;
  const size = `(${content.length.toLocaleString("en-US")} bytes)`;
  return `${readText(part.slice(0, start)) ?? ""}${size}\r\n`;
}

/** Null: the bytes aren't text. */
function readText(bytes: string): string | null {
  try {
    const read = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read);
  } catch {
    return null;
  }
}
