/** Our forms are far smaller. Next itself reads bodies without a limit. */
const maxBytes = 16 * 1024;

/** The body, or null if it is larger than any of our forms; then reading stops. */
export async function readSmallBody(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
