/** A form of ours is far smaller. Next itself reads bodies without a limit. */
const maxBytes = 16 * 1024;

/** The body, or null when it is larger than a form of ours can be; then no more of it is read. */
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
