import { type DecodedBody, decodeBody } from "./decode-body.ts";
import { type Payload, readPayload } from "./read-payload.ts";

/**
 * The payload as the bytes themselves tell it, for the identity of what is signed. A signature covers the bytes and hardly ever
 * `Content-Type` and `Content-Encoding`: read by those, a captured request that is sent again with other ones would have no id, and run anew.
 *
 * @param bytes without their encoding, see `unpackBody`
 * @param labelled the same bytes, read by their `Content-Type`
 */
export function readByBytes(bytes: Uint8Array, labelled: Payload): Payload {
  const first = firstByte(bytes);
  if (first === brace || first === bracket) {
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

/** A body without its encoding, and what it says by its Content-Type. */
export type ReadBody = { readonly bytes: Uint8Array; readonly payload: Payload };

/** A body without its encoding, and how that went by what the request says of it. */
export type UnpackedBody = { readonly bytes: Uint8Array; readonly decoded: DecodedBody };

/** Undoes the `Content-Encoding`. Never throws. */
export async function unpackBody(
  body: Uint8Array,
  contentEncoding: string | null,
): Promise<UnpackedBody> {
  const decoded = await decodeBody(body, contentEncoding);
  return { bytes: await unpack(body, decoded), decoded };
}

/** Reads by the `Content-Type`. Never throws. */
export function readUnpacked(
  { bytes, decoded }: UnpackedBody,
  contentType: string | null,
): ReadBody {
  const payload: Payload = decoded.ok
    ? readPayload(decoded.bytes, contentType)
    : { kind: "none", reason: decoded.message, isJsonExpected: false };
  return { bytes, payload };
}

/**
 * The bytes without their encoding; where that was missing or wrong, what gzip's own mark says (RFC 1952 §2.3.1). Capped, as `decodeBody`.
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
/** Names and values with nothing that a form has to encode: text that only resembles one is none. */
const formPattern = /^[\w.*+%~[\]-]+=[^\s<>"]*$/;

/** The first that is no white space, behind a byte order mark. */
function firstByte(bytes: Uint8Array): number | undefined {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (blanks.has(bytes[at] ?? 0)) at += 1;
  return bytes[at];
}

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
