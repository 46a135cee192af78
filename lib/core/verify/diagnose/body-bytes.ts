/** Building blocks for body changes. Each has a limit, since the bytes are untrusted. */
import { limits } from "./verification-budget.ts";

export const mark = Buffer.from([0xef, 0xbb, 0xbf]);

export function trimmedLength(body: Buffer): number {
  let length = body.length;
  while (length > 0 && [0x0a, 0x0d, 0x20, 0x09].includes(body[length - 1] ?? 0)) length -= 1;
  return length;
}

/** Latin-1 maps each byte to one character, so every other byte is unchanged. */
export function replaceLatin1(body: Buffer, pattern: RegExp, by: string): Buffer {
  return Buffer.from(body.toString("latin1").replaceAll(pattern, by), "latin1");
}

export function hasMark(body: Buffer): boolean {
  return body.subarray(0, 3).equals(mark);
}

export function toLatin1(body: Buffer): Buffer | null {
  const text = isSmall(body) ? decodeUtf8(body) : null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: every character that Latin-1 has
  return text === null || !/^[\u0000-\u00ff]*$/.test(text) ? null : Buffer.from(text, "latin1");
}

export function normalize(body: Buffer, form: "NFC" | "NFD"): Buffer | null {
  const text = isSmall(body) ? decodeUtf8(body) : null;
  return text === null ? null : Buffer.from(text.normalize(form), "utf8");
}

export function readEnvelope(body: Buffer, field: string): Buffer | null {
  if (body[0] !== 0x7b) return null;
  const envelope = parseSmall(body);
  if (typeof envelope !== "object" || envelope === null || !Object.hasOwn(envelope, field))
    return null;
  const inner = (envelope as Record<string, unknown>)[field];
  if (typeof inner !== "string") return null;
  const isBase64 = "isBase64Encoded" in envelope && envelope.isBase64Encoded === true;
  return Buffer.from(inner, isBase64 ? "base64" : "utf8");
}

export function parseSmall(body: Buffer): unknown {
  if (!isSmall(body)) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    // Not JSON: no fields.
    return undefined;
  }
}

export function isForm(body: Buffer): boolean {
  return isSmall(body) && body[0] !== 0x7b && body.includes("=");
}

export function isText(body: Buffer): boolean {
  return decodeUtf8(body) !== null;
}

export function isSmall(body: Buffer): boolean {
  return body.length <= limits.maxRewrittenBytes;
}

type Unpack = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

/** A small compressed body can expand to gigabytes, so the output has a limit too. */
export function unpack(decode: Unpack, body: Buffer): Buffer | null {
  if (!isSmall(body)) return null;
  try {
    return decode(body, { maxOutputLength: limits.maxRewrittenBytes });
  } catch {
    // The body isn't compressed this way, or it is too large to try.
    return null;
  }
}

export function decodeUtf8(body: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    // The body isn't text. The caller decides what to do.
    return null;
  }
}
