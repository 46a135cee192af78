import { classifyContentType } from "./content-kind.ts";
import { type DecodedBody, decodeBody } from "./decode-body.ts";
import { findUtf16 } from "./decode-text.ts";
import { startsLikeXml } from "./decode-xml.ts";
import { firstByte, guessJson } from "./parse-json-text.ts";
import { type Payload, readPayload } from "./read-payload.ts";

/**
 * The payload according to the bytes alone, for the identity of signed content. A signature covers
 * the bytes and hardly ever `Content-Type` and `Content-Encoding`. Otherwise a captured request
 * sent again with other headers would have no id, and run again.
 *
 * @param read the bytes without their encoding, and what they are by their `Content-Type`
 */
export function readByBytes(read: ReadBody): Payload {
  const { bytes, contentType, payload: labeled, payloadField } = read;
  if (guessJson(bytes) === "container" || findUtf16(bytes) !== null) {
    // The fields of a form are read as JSON too, and so are lines. Everything else is the body itself.
    if (labeled.kind === "json" && !readsParts.has(classifyContentType(contentType)))
      return labeled;
    const json = firstJson(
      () => readPayload(bytes, "text/plain"),
      () => readPayload(bytes, "application/x-ndjson"),
    );
    if (json !== null) return json;
  }
  if (firstByte(bytes) === dash) {
    const boundary = /^--([^\r\n"]{1,70})\r\n/.exec(toLatin1(bytes.subarray(0, 80)))?.[1];
    return boundary === undefined
      ? labeled
      : readPayload(bytes, `multipart/form-data; boundary="${boundary}"`, payloadField);
  }
  if (labeled.kind !== "none") return labeled;
  const xml = startsLikeXml(bytes) ? firstJson(() => readPayload(bytes, "text/xml")) : null;
  if (xml !== null) return xml;
  const asForm = () => readPayload(bytes, "application/x-www-form-urlencoded", payloadField);
  if (formPattern.test(toLatin1(bytes))) return asForm();
  // JSON that became a form: `%7B%22id%22%3A1%7D`, or a field that is the whole event.
  const mayBeEvent = payloadField !== null || eventStarts.has(firstByte(bytes));
  return (mayBeEvent ? firstJson(asForm) : null) ?? labeled;
}

const readsParts: ReadonlySet<string> = new Set(["form", "multipart", "lines"]);

function firstJson(...reads: readonly (() => Payload)[]): Payload | null {
  for (const read of reads) {
    const payload = read();
    if (payload.kind === "json") return payload;
  }
  return null;
}

/** A decoded body, and its payload by Content-Type. */
export type ReadBody = {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** The form field that is the whole event, if the hook's provider has one. */
  readonly payloadField: string | null;
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
  payloadField: string | null,
): ReadBody {
  const payload: Payload = decoded.ok
    ? readPayload(decoded.bytes, contentType, payloadField)
    : { kind: "none", code: "undecodable", reason: decoded.message };
  return { bytes, contentType, payloadField, payload };
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

const [dash] = Buffer.from("-");
const eventStarts: ReadonlySet<number> = new Set(Buffer.from("%={["));
/**
 * Matches names and values without characters that a form has to encode, so that other text isn't
 * read as a form.
 */
const formPattern = /^[\w.*+%~[\]-]+=[^\s<>"]*$/;

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
