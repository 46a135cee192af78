/** Reads a `multipart/form-data` body (RFC 7578). Never opens files or uses their names. */
import { isUtf8 } from "node:buffer";

type MultipartField = { readonly name: string; readonly text: string };
export type MultipartPart = {
  readonly name: string;
  /** The file name as sent. Null: not a file. */
  readonly fileName: string | null;
  readonly contentType: string | null;
  readonly body: Uint8Array;
};

/** More than any form needs. */
const maxParts = 1_000;
const maxHeadBytes = 2048;

/** The fields without files, as UTF-8; null if the type has no boundary, or there are too many parts. */
export function readMultipart(
  body: Uint8Array,
  contentType: string,
): readonly MultipartField[] | null {
  const form = readMultipartForm(body, contentType);
  if (form === null || form.hasMore) return null;
  return form.parts
    .filter(isField)
    .map((part) => ({ name: part.name, text: Buffer.from(part.body).toString("utf8") }));
}

/** Some programs give each part with a type a file name, so JSON is a field with one too. */
export function isField({ fileName, contentType }: MultipartPart): boolean {
  if (fileName === null) return true;
  const type = (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase();
  return type === "application/json" || type === "text/json" || type.endsWith("+json");
}

type MultipartForm = {
  /** In order, without unreadable ones. */
  readonly parts: readonly MultipartPart[];
  /** There are too many, and the rest isn't read. */
  readonly hasMore: boolean;
};

/** Null if the type has no boundary. */
export function readMultipartForm(body: Uint8Array, contentType: string): MultipartForm | null {
  const found =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/is.exec(
      contentType,
    );
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) return null;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts: MultipartPart[] = [];
  let start = bytes.indexOf(`--${boundary}`, 0, "latin1");
  for (let count = 0; start !== -1; count += 1) {
    const head = start + boundary.length + 2;
    const end = bytes.indexOf(`\r\n--${boundary}`, head, "latin1");
    if (end === -1) break;
    if (count === maxParts) return { parts, hasMore: true };
    const part = readPart(bytes.subarray(head, end));
    if (part !== null) parts.push(part);
    start = end + 2;
  }
  return { parts, hasMore: false };
}

/** Null if it isn't part of a form. */
function readPart(part: Buffer): MultipartPart | null {
  const headEnd = part.indexOf("\r\n\r\n");
  if (headEnd === -1 || headEnd > maxHeadBytes) return null;
  const headBytes = part.subarray(0, headEnd);
  // RFC 7578 §5.1: names are UTF-8. Other bytes are kept apart, as Latin-1.
  const head = headBytes.toString(isUtf8(headBytes) ? "utf8" : "latin1");
  const disposition = /\r\ncontent-disposition:\s*form-data\s*;([^\r\n]*)/i.exec(head)?.[1];
  const parameters = readParameters(disposition ?? "");
  const name = parameters.get("name");
  if (name === undefined) return null;
  const isFile = parameters.has("filename") || parameters.has("filename*");
  const fileName = parameters.get("filename") ?? "";
  const contentType = /\r\ncontent-type:\s*([^\r\n]*)/i.exec(head)?.[1] ?? null;
  return {
    name,
    fileName: isFile ? fileName : null,
    contentType,
    body: part.subarray(headEnd + 4),
  };
}

/**
 * In quotation marks, or without them, as .NET writes it. The first of a name counts. Undefined: it has
 * no value.
 */
function readParameters(disposition: string): ReadonlyMap<string, string | undefined> {
  const found = disposition.matchAll(/(?:^|;)\s*([^\s;="]+)=(?:"([^"]*)"|([^\s;"]*))/g);
  const pairs = [...found].map(
    ([, name = "", quoted, plain]) => [name.toLowerCase(), quoted ?? (plain || undefined)] as const,
  );
  return new Map(pairs.toReversed());
}
