import { createHash } from "node:crypto";

export type FormPart = {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** Null: a field. */
  readonly fileName: string | null;
  readonly contentType: string | null;
  /** Leaves it out of the hash from which the boundary is made. */
  readonly isSecret?: boolean;
};

type EncodedForm = { readonly bytes: Uint8Array; readonly contentType: string };

/**
 * A `multipart/form-data` body (RFC 7578), with names and line breaks as browsers write them:
 * https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 *
 * The boundary is a hash of the content. So the same parts always give the same bytes, and no one
 * can write a text that contains the boundary of its own body.
 */
export function encodeMultipart(parts: readonly FormPart[]): EncodedForm {
  const written = parts.map((part) => ({
    head: Buffer.from(`${writeHead(part)}\r\n\r\n`),
    content: toBytes(part),
    isSecret: part.isSecret === true,
  }));
  const boundary = makeBoundary(written);
  const bytes = Buffer.concat([
    ...written.flatMap(({ head, content }) => [
      Buffer.from(`--${boundary}\r\n`),
      head,
      content,
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}

function writeHead({ name, fileName, contentType }: FormPart): string {
  const file = fileName === null ? "" : `; filename="${escapeName(fileName)}"`;
  const disposition = `Content-Disposition: form-data; name="${escapeName(normalize(name))}"${file}`;
  const type = contentType ?? (fileName === null ? null : "application/octet-stream");
  return type === null ? disposition : `${disposition}\r\nContent-Type: ${type}`;
}

/** The bytes of a file stay. The text of a field has the line breaks of a form. */
function toBytes({ content, fileName }: FormPart): Uint8Array {
  if (typeof content !== "string") return content;
  return Buffer.from(fileName === null ? normalize(content) : content);
}

function normalize(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "\r\n");
}

function escapeName(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}

type WrittenPart = {
  readonly head: Buffer;
  readonly content: Uint8Array;
  readonly isSecret: boolean;
};

/** A secret part isn't hashed: the boundary is stored with the run, and the secret isn't. */
function makeBoundary(parts: readonly WrittenPart[]): string {
  for (let count = 0; ; count += 1) {
    const hash = createHash("sha256").update(`${count}`);
    for (const { head, content, isSecret } of parts) {
      hash.update(`\n${head.byteLength} ${isSecret ? 0 : content.byteLength}\n`).update(head);
      if (!isSecret) hash.update(content);
    }
    const boundary = `----catchment-${hash.digest("hex").slice(0, 40)}`;
    const isFree = parts.every(
      ({ head, content }) => !holds(head, boundary) && !holds(content, boundary),
    );
    if (isFree) return boundary;
  }
}

function holds({ buffer, byteOffset, byteLength }: Uint8Array, text: string): boolean {
  return Buffer.from(buffer, byteOffset, byteLength).includes(text, 0, "latin1");
}
