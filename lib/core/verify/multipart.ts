/** Reads one field of a `multipart/form-data` body (RFC 7578): as much of it as verification needs, and no files. */
import { missing, type Reading, repeated } from "./request-view.ts";

const maxParts = 64;
const maxHeadBytes = 2048;

export function readMultipartField(body: Uint8Array, contentType: string, name: string): Reading {
  const boundary = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/is.exec(
    contentType,
  );
  const text = boundary?.[1] ?? boundary?.[2];
  if (text === undefined) return missing;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const values: Buffer[] = [];
  const delimiter = Buffer.from(`--${text}`, "latin1");
  let start = bytes.indexOf(delimiter);
  for (let count = 0; start !== -1 && count < maxParts && values.length < 2; count += 1) {
    const head = start + delimiter.length;
    const end = bytes.indexOf(`\r\n--${text}`, head, "latin1");
    if (end === -1) break;
    const value = readPart(bytes.subarray(head, end), name);
    if (value !== null) values.push(value);
    start = end + 2;
  }
  const [value] = values;
  if (values.length > 1) return repeated;
  return value === undefined ? missing : { found: "one", value: value.toString("utf8") };
}

/** The content of a part where it is the field of that name, else null. */
function readPart(part: Buffer, name: string): Buffer | null {
  const headEnd = part.indexOf("\r\n\r\n");
  if (headEnd === -1 || headEnd > maxHeadBytes) return null;
  const head = part.subarray(0, headEnd).toString("latin1");
  const disposition = /\r\ncontent-disposition:\s*form-data\s*;(?:[^\r\n]*;)?\s*name="([^"\r\n]*)"/i.exec(
    head,
  );
  return disposition?.[1] === name ? part.subarray(headEnd + 4) : null;
}
