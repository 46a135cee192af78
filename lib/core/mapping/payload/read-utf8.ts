/**
 * Null if a character would be lost, so that the bytes can always be restored. A leading byte order
 * mark stays.
 */
export function readUtf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
