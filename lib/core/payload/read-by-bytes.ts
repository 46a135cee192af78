import { classifyContentType } from "./content-kind.ts";
import { type DecodedBody, decodeBody } from "./decode-body.ts";
import { type Payload, readPayload } from "./read-payload.ts";

/**
 * The payload according to the bytes alone, for the identity of signed content. A signature covers
 * the bytes and hardly ever `Content-Type` and `Content-Encoding`. Otherwise a captured request
 * sent again with other headers would have no id, and run again.
 *
 * @param read the bytes without their encoding, and what they are by their `Content-Type`
 */
export function readByBytes({ bytes, contentType, payload: labelled }: ReadBody): Payload {
  const first = firstByte(bytes);
  if (first === brace || first === bracket) {
    // The fields of a multipart body are read as JSON too. Everything else is the body itself.
    if (labelled.kind === "json" && classifyContentType(contentType) !== "multipart")
      return labelled;
    const json = readPayload(bytes, "text/plain");
    return json.kind === "json" ? json : labelled;
  }
  if (first === dash) {
    const boundary = /^--([^\r\n"]{1,70})\r\n/.exec(toLatin1(bytes.subarray(0, 80)))?.[1];
    return boundary === undefined
      ? labelled
      : readPayload(bytes, `multipart/form-data; boundary="${boundary}"`);
  }
  if (labelled.kind !== "none" || !formPattern.test(toLatin1(bytes))) return labelled;
  return readPayload(bytes, "application/x-www-form-urlencoded");
}

/** A decoded body, and its payload by Content-Type. */
export type ReadBody = {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly payload: Payload;
};

/** The decoded bytes, and the result of decoding as declared. */
export type UnpackedBody = { readonly bytes: Uint8Array; readonly decoded: DecodedBody };

/** Decodes the `Content-Encoding`. Never throws. */
export async function unpackBody(
  body: Uint8Array,
  contentEncoding: string | null,
): Promise<UnpackedBody> {
  const decoded = await decodeBody(body, contentEncoding);
  return { bytes: await unpack(body, decoded), decoded };
}

/** Reads a body by its `Content-Type`. Never throws. */
export function readUnpacked(
  { bytes, decoded }: UnpackedBody,
  contentType: string | null,
): ReadBody {
  const payload: Payload = decoded.ok
    ? readPayload(decoded.bytes, contentType)
    : { kind: "none", code: "undecodable", reason: decoded.message };
  return { bytes, contentType, payload };
}

/**
 * The decoded bytes. If the encoding was missing or wrong, gzip is detected by its magic bytes (RFC
 * 1952 §2.3.1). Limited like `decodeBody`.
 *
 * @param decoded by the request's `Content-Encoding`
 */
async function unpack(body: Uint8Array, decoded: DecodedBody): Promise<Uint8Array> {
  if (decoded.ok && decoded.bytes !== body) return decoded.bytes;
  if (!isGzip(body)) return body;
  const unpacked = await decodeBody(body, "gzip");
  return unpacked.ok ? unpacked.bytes : body;
}

export function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

const [brace, bracket, dash] = Buffer.from("{[-");
const blanks = new Set(Buffer.from(" \t\r\n"));
/**
 * Matches names and values without characters that a form has to encode, so that other text isn't
 * read as a form.
 */
const formPattern = /^[\w.*+%~[\]-]+=[^\s<>"]*$/;

/** The first character that isn't white space, after a byte order mark. */
function firstByte(bytes: Uint8Array): number | undefined {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (blanks.has(bytes[at] ?? 0)) at += 1;
  return bytes[at];
}

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
