import { isUtf8 } from "node:buffer";

type DecodedText = {
  readonly text: string;
  /** True if bytes that are no text in the character set were replaced by U+FFFD. */
  readonly isDamaged: boolean;
};

/**
 * Decodes text by the `charset` of its `Content-Type`, and as UTF-8 without one, or with one that isn't known.
 * Many providers declare a single-byte charset and send UTF-8, so what is valid UTF-8 is read as such.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): DecodedText {
  const decoder = findDecoder(contentType);
  if (decoder === null || (!isMultiByte.test(decoder.encoding) && isUtf8(bytes))) {
    const text = utf8.decode(bytes);
    return { text, isDamaged: text.includes("\ufffd") && !isUtf8(bytes) };
  }
  const text = decoder.decode(bytes);
  return { text, isDamaged: text.includes("\ufffd") };
}

/** The same form in UTF-8. Its percent-encoded bytes are in its charset too. */
export function decodeForm(
  body: Uint8Array,
  contentType: string | null,
): { readonly body: Uint8Array; readonly isDamaged: boolean } {
  const latin1 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  if (findDecoder(contentType) === null && !notAscii.test(latin1))
    return { body, isDamaged: false };
  const bytes = unescapeBytes(latin1);
  const { isDamaged } = decodeText(bytes, contentType);
  // As a whole: one field may be valid UTF-8 by chance.
  if (findDecoder(contentType) === null || isUtf8(bytes)) return { body, isDamaged };
  const text = latin1.replace(/[^&=]+/g, (part) =>
    encodeURIComponent(decodeText(unescapeBytes(part.replaceAll("+", " ")), contentType).text),
  );
  return { body: Buffer.from(text), isDamaged };
}

const notAscii = /%[89a-f]|[\x80-\xff]/i;
const utf8 = new TextDecoder("utf-8");
const isMultiByte = /^(?:utf-16|gb|big5|euc|shift_jis|iso-2022)/;
const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i;

/** Null: UTF-8. */
function findDecoder(contentType: string | null): TextDecoder | null {
  const found = contentType === null ? null : charset.exec(contentType);
  const label = found?.[1] ?? found?.[2];
  if (label === undefined || /^utf-?8$/i.test(label)) return null;
  try {
    return new TextDecoder(label);
  } catch {
    // No charset of the WHATWG's Encoding Standard.
    return null;
  }
}

/** True if text of this type isn't UTF-8: it declares another charset that is known. */
export function hasOtherCharset(contentType: string): boolean {
  return findDecoder(contentType) !== null;
}

/** True if a type declares a charset, known or not. */
export function hasCharset(contentType: string): boolean {
  return charset.test(contentType);
}

function unescapeBytes(latin1: string): Uint8Array {
  const text = latin1.replace(/%([\da-f]{2})/gi, (_all, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(text, "latin1");
}
