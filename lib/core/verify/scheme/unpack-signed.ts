import { gunzipSync } from "node:zlib";

/**
 * The same limit as for showing and mapping compressed bodies. Unpacking takes about 10 ms of CPU.
 */
const maxUnpackedBytes = 10 * 1024 * 1024;
/**
 * The ratio is far more than JSON reaches, but excludes zip bombs. The body is still unverified.
 */
const maxRatio = 200;

/**
 * The body that a provider signed before compressing it. Detected by gzip's magic bytes (RFC 1952,
 * 2.3.1), since headers aren't signed and a proxy may have decompressed the body already. Null:
 * invalid gzip, or too large.
 */
export function unpackSigned(body: Uint8Array): Uint8Array | null {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    const maxOutputLength = Math.min(maxUnpackedBytes, 65_536 + body.length * maxRatio);
    return gunzipSync(body, { maxOutputLength });
  } catch {
    // Invalid gzip.
    return null;
  }
}
