import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { errorCode } from "#lib/errors.ts";

export type DecodedBody =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly message: string };

/** Limit for showing and mapping compressed bodies. The original bytes are always stored. */
export const maxDecodedBytes = 10 * 1024 * 1024;

/**
 * Decodes a request's `Content-Encoding` (RFC 9110 §8.4): one of gzip, deflate, and br. The output
 * is limited, because 93 bytes of brotli can expand to 100 MiB. Verification never needs it:
 * signatures cover the bytes as sent.
 */
export async function decodeBody(
  body: Uint8Array,
  contentEncoding: string | null,
): Promise<DecodedBody> {
  const encoding = (contentEncoding ?? "").trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return { ok: true, bytes: body };
  const decode = decoders.get(encoding);
  if (decode === undefined) {
    return {
      ok: false,
      message: `The content encoding ${JSON.stringify(encoding.slice(0, 40))} is not supported.`,
    };
  }
  try {
    return { ok: true, bytes: await decode(body, { maxOutputLength: maxDecodedBytes }) };
  } catch (error) {
    const isTooLarge = errorCode(error) === "ERR_BUFFER_TOO_LARGE";
    const message = isTooLarge
      ? `The ${encoding} body decompresses to more than ${maxDecodedBytes / 1024 / 1024} MiB.`
      : `The body isn't valid ${encoding}, although its Content-Encoding says so.`;
    return { ok: false, message };
  }
}

const decoders = new Map([
  ["gzip", promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip)],
  ["x-gzip", promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip)],
  ["deflate", promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate)],
  ["br", promisify<Uint8Array, { maxOutputLength: number }, Buffer>(brotliDecompress)],
]);
