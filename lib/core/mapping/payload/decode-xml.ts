/** Recognizes XML by its first character, and decodes it. */
import { type DecodedText, decodeText, readCharset } from "./decode-text.ts";

/** True if the first character is `<`, in UTF-8 or UTF-16. Reads nothing else. */
export function startsLikeXml(body: Uint8Array): boolean {
  return mayStart.has(body[0] ?? 1) && decodeStart(body).startsWith("<");
}

const [lessThan = 0, ...blanks] = Buffer.from("< \t\r\n");
/** `<`, white space, and the first byte of a byte order mark or of UTF-16. */
const mayStart = new Set([lessThan, ...blanks, 0xef, 0xfe, 0xff, 0]);

/**
 * Decodes a document by its byte order mark, the `charset` of its `Content-Type`, or its declaration, in this
 * order (RFC 7303 §3), and as UTF-8 otherwise.
 *
 * @param contentType null: the identity of an event doesn't depend on a header that isn't signed
 */
export function decodeXml(body: Uint8Array, contentType: string | null): DecodedText {
  const ofBytes = findEncoding(body);
  const declared = ofBytes ?? readCharset(contentType) ?? readDeclaration(body);
  return decodeText(body, declared === null ? null : `text/xml; charset="${declared}"`);
}

/** A declaration that can be read as ASCII isn't in UTF-16, whatever it says. */
function readDeclaration(body: Uint8Array): string | null {
  const found = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(decodeStart(body))?.[1];
  return found === undefined || /^(?:utf|ucs)-?16|^iso-10646/i.test(found) ? null : found;
}

/** Longer than any XML declaration. */
const maxStartBytes = 256;

/** The start without white space, as far as ASCII goes. */
function decodeStart(body: Uint8Array): string {
  const start = body.subarray(0, maxStartBytes);
  return new TextDecoder(findEncoding(body) ?? "utf-8").decode(start).trimStart();
}

/** By a byte order mark, or `<` as two bytes (XML 1.0, appendix F). */
function findEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if ((first === 0xff && second === 0xfe) || (first === lessThan && second === 0))
    return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === lessThan))
    return "utf-16be";
  return null;
}
