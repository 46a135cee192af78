import { isUtf8 } from "node:buffer";
import { guessJson } from "./parse-json-text.ts";

export type DecodedText = {
  readonly text: string;
  /** True if bytes that are no text in the character set were replaced by U+FFFD. */
  readonly isDamaged: boolean;
};

/**
 * Decodes text by the `charset` of its `Content-Type`, and as UTF-8 without one, or with one that isn't known.
 * Many providers declare a single-byte charset and send UTF-8, so what is valid UTF-8 is read as such.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): DecodedText {
  const decoder = chooseDecoder(bytes, contentType);
  const text = decoder.decode(bytes);
  const isDamaged = text.includes("\ufffd") && (decoder !== utf8 || !isUtf8(bytes));
  return { text, isDamaged };
}

function chooseDecoder(bytes: Uint8Array, contentType: string | null): TextDecoder {
  const decoder = findUtf16(bytes) ?? findDecoder(readCharset(contentType));
  return decoder === null || isReadAsUtf8(bytes, decoder) ? utf8 : decoder;
}

/** Decodes text that may be cut: a character that the cut splits is left out. */
export function decodeStart(bytes: Uint8Array, contentType: string | null): string {
  const { encoding } = chooseDecoder(bytes, contentType);
  return new TextDecoder(encoding).decode(bytes, { stream: true });
}

/**
 * Decodes text by its bytes alone: UTF-16 if it can't be anything else, and UTF-8 otherwise. Invalid
 * bytes become U+FFFD: losing a delivery because of one bad byte would be worse.
 */
export function decodeByBytes(bytes: Uint8Array): string {
  return (findUtf16(bytes) ?? utf8).decode(bytes);
}

/**
 * UTF-16, if a byte order mark says so, or a body that begins like JSON has a zero in one of its
 * first two bytes: the first two characters of JSON are ASCII (RFC 4627 §3).
 */
export function findUtf16(bytes: Uint8Array): TextDecoder | null {
  const [first = 0, second = 0] = bytes;
  if (first !== 0 && second !== 0)
    return first === 0xff && second === 0xfe ? utf16le : isBigEndian(first, second);
  if (bytes.byteLength < 2 || bytes.byteLength % 2 !== 0 || first === second) return null;
  // White space may come before a value.
  if (guessJson(Uint8Array.of(first === 0 ? second : first, zero)) === null) return null;
  return first === 0 ? utf16be : utf16le;
}

const [zero = 0] = Buffer.from("0");

function isBigEndian(first: number, second: number): TextDecoder | null {
  return first === 0xfe && second === 0xff ? utf16be : null;
}

function isReadAsUtf8(bytes: Uint8Array, { encoding }: TextDecoder): boolean {
  if (encoding.startsWith("utf-16")) return isUtf8(bytes) && !bytes.includes(0);
  return !isMultiByte.test(encoding) && isUtf8(bytes);
}

const utf8 = new TextDecoder("utf-8");
const utf16le = new TextDecoder("utf-16le");
const utf16be = new TextDecoder("utf-16be");
const isMultiByte = /^(?:gb|big5|euc|shift_jis|iso-2022)/;
const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"]+))/i;

/** Null: none is declared. */
export function readCharset(contentType: string | null): string | null {
  const found = contentType === null ? null : charset.exec(contentType);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
}

/** Null: UTF-8, or none of the WHATWG's Encoding Standard. */
export function findDecoder(label: string | null): TextDecoder | null {
  if (label === null || /^utf-?8$/i.test(label)) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

/** True if text of this type isn't UTF-8: it declares another charset that is known. */
export function hasOtherCharset(contentType: string): boolean {
  return findDecoder(readCharset(contentType)) !== null;
}
