/** Reads the text fields of a `multipart/form-data` body (RFC 7578). Files are passed over: nothing here names or opens any. */

export type MultipartField = { readonly name: string; readonly text: string };

const maxParts = 64;
const maxHeadBytes = 2048;

/** In their order; null where the type names no boundary. Parts that can't be read are left out, and so is all after 64 of them. */
export function readMultipart(body: Uint8Array, contentType: string): readonly MultipartField[] | null {
  const found = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/is.exec(
    contentType,
  );
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) return null;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const fields: MultipartField[] = [];
  let start = bytes.indexOf(`--${boundary}`, 0, "latin1");
  for (let count = 0; start !== -1 && count < maxParts; count += 1) {
    const head = start + boundary.length + 2;
    const end = bytes.indexOf(`\r\n--${boundary}`, head, "latin1");
    if (end === -1) break;
    const field = readPart(bytes.subarray(head, end));
    if (field !== null) fields.push(field);
    start = end + 2;
  }
  return fields;
}

/** Null for a file, and for what is no part of a form. */
function readPart(part: Buffer): MultipartField | null {
  const headEnd = part.indexOf("\r\n\r\n");
  if (headEnd === -1 || headEnd > maxHeadBytes) return null;
  const head = part.subarray(0, headEnd).toString("latin1");
  const disposition = /\r\ncontent-disposition:\s*form-data\s*;([^\r\n]*)/i.exec(head)?.[1];
  const name = disposition === undefined ? undefined : /(?:^|;)\s*name="([^"]*)"/i.exec(disposition)?.[1];
  if (disposition === undefined || name === undefined || /(?:^|;)\s*filename\*?=/i.test(disposition))
    return null;
  return { name, text: part.subarray(headEnd + 4).toString("utf8") };
}
