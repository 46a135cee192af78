import { promisify } from "node:util";
import {
  brotliDecompress,
  gunzip,
  type InputType,
  inflate,
  inflateRaw,
  zstdDecompress,
} from "node:zlib";
import { errorCode } from "#lib/base/errors.ts";

export type DecodedBody =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly message: string };

/** Limit for showing and mapping compressed bodies. The original bytes are always stored. */
export const maxDecodedBytes = 10 * 1024 * 1024;
/** More than anything sends. Each may expand to the limit. */
const maxCodings = 4;

/**
 * Decodes a request's `Content-Encoding` (RFC 9110 §8.4): gzip, deflate, br, and zstd, also several in
 * a row. A name that is no coding, such as `utf-8` or `none`, is ignored. The output is limited,
 * because 93 bytes of brotli can expand to 100 MiB. Verification never needs it: signatures cover
 * the bytes as sent.
 */
export async function decodeBody(
  body: Uint8Array,
  contentEncoding: string | null,
): Promise<DecodedBody> {
  const codings = listCodings(contentEncoding);
  if (codings.length > maxCodings) {
    const message = `The body has more than ${maxCodings} content encodings.`;
    return { ok: false, message };
  }
  let decoded: DecodedBody = { ok: true, bytes: body };
  // They are listed in the order in which they were applied.
  for (const coding of codings.toReversed())
    if (decoded.ok) decoded = await decodeOne(decoded.bytes, coding);
  return decoded;
}

function listCodings(contentEncoding: string | null): readonly string[] {
  if (contentEncoding === null) return [];
  const names = contentEncoding.split(",").map((part) => part.split(";", 1)[0] ?? "");
  return names
    .map((name) => name.trim().toLowerCase())
    .filter((name) => decoders.has(name) || unsupported.has(name));
}

async function decodeOne(body: Uint8Array, coding: string): Promise<DecodedBody> {
  const decode = decoders.get(coding);
  if (decode === undefined)
    return { ok: false, message: `The content encoding "${coding}" is not supported.` };
  try {
    return { ok: true, bytes: await decode(body, { maxOutputLength: maxDecodedBytes }) };
  } catch (error) {
    const isTooLarge = errorCode(error) === "ERR_BUFFER_TOO_LARGE";
    const message = isTooLarge
      ? `The ${coding} body decompresses to more than ${maxDecodedBytes / 1024 / 1024} MiB.`
      : `The body isn't valid ${coding}, although its Content-Encoding says so.`;
    return { ok: false, message };
  }
}

type Decode = (body: InputType, limit: { readonly maxOutputLength: number }) => Promise<Buffer>;

const inflateZlib: Decode = promisify<InputType, { maxOutputLength: number }, Buffer>(inflate);
const inflateBare: Decode = promisify<InputType, { maxOutputLength: number }, Buffer>(inflateRaw);

/** Some programs send `deflate` without its zlib header (RFC 9110 §8.4.1.2). */
const inflateAny: Decode = (body, limit) =>
  inflateZlib(body, limit).catch((error: unknown) => {
    if (errorCode(error) !== "Z_DATA_ERROR") throw error;
    return inflateBare(body, limit);
  });

const gunzipAll: Decode = promisify<InputType, { maxOutputLength: number }, Buffer>(gunzip);

const decoders: ReadonlyMap<string, Decode> = new Map([
  ["gzip", gunzipAll],
  ["x-gzip", gunzipAll],
  ["deflate", inflateAny],
  ["br", promisify<InputType, { maxOutputLength: number }, Buffer>(brotliDecompress)],
  ["zstd", promisify<InputType, { maxOutputLength: number }, Buffer>(zstdDecompress)],
]);

/** The other codings of IANA's registry, which need a key, a dictionary, or a schema, or are obsolete. */
const unsupported: ReadonlySet<string> = new Set([
  ...["aes128gcm", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip"],
]);
