import { encodeMultipart, type FormPart } from "#lib/core/mapping/encode/encode-multipart.ts";
import {
  type RenderInput,
  renderString,
  renderText,
} from "#lib/core/mapping/template/render-template.ts";
import { maxValueChars } from "#lib/core/mapping/template/render-value.ts";
import { valueToText } from "#lib/core/mapping/template/value-to-text.ts";
import type { MultipartPart } from "#lib/schema/act/multipart.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import { isJsonObject } from "#lib/schema/field/json-value.ts";
import type { ProblemList } from "./problem-list.ts";

/**
 * The rendered parts as a `multipart/form-data` body. A list in a field repeats it, as in a form.
 *
 * @returns null if there are problems
 */
export function buildMultipart(
  parts: readonly MultipartPart[],
  auth: RequestAuth | null,
  render: RenderInput,
  problems: ProblemList,
): { readonly bytes: Uint8Array; readonly contentType: string } | null {
  const room = { left: maxValueChars(render) };
  const errorsBefore = problems.errors.length;
  const built = parts.flatMap((part, index) =>
    buildPart(part, `multipart.${index}`, { render, problems, room }),
  );
  if (problems.errors.length > errorsBefore) return null;
  if (auth?.type === "body") built.push({ ...field(auth.name, auth.value), isSecret: true });
  return encodeMultipart(built);
}

type Building = {
  readonly render: RenderInput;
  readonly problems: ProblemList;
  /** The bytes that the parts may still have together. */
  readonly room: { left: number };
};

function buildPart(part: MultipartPart, at: string, building: Building): readonly FormPart[] {
  const { render, problems } = building;
  const name = readText(part.name, `${at}.name`, building);
  const fileName =
    part.fileName === null ? null : readText(part.fileName, `${at}.fileName`, building);
  const contentType = readType(part.contentType, `${at}.contentType`, building);
  if (part.content === "delivery") {
    const { body } = render.context.raw;
    return use(body.byteLength, at, building)
      ? [{ name, fileName, contentType, content: body }]
      : [];
  }
  const rendered = renderString(part.value, render);
  if (!rendered.ok) {
    const code = rendered.code === "missing" ? "mapping_failed" : "body_invalid";
    problems.addFailure(code, `${at}.value`, rendered);
    return [];
  }
  return readValues(rendered.value, part, `${at}.value`, building).map((content) => ({
    name,
    fileName,
    contentType,
    content,
  }));
}

/** One value, or those of a list of a field. */
function readValues(
  value: unknown,
  { content, fileName }: MultipartPart,
  at: string,
  building: Building,
): readonly (Uint8Array | string)[] {
  const { problems } = building;
  const isFile = fileName !== null;
  if (isFile && value === null) {
    problems.add("body_invalid", at, ["is null, so there is no file to send"]);
    return [];
  }
  const items = Array.isArray(value) && !isFile ? value : [value];
  return items.flatMap((item): readonly (Uint8Array | string)[] => {
    if (content === "base64") return readBase64(item, at, building);
    const isNested = Array.isArray(item) || isJsonObject(item);
    if (isNested && !isFile) {
      problems.add("body_invalid", at, [nested]);
      return [];
    }
    const text = readItem(item);
    if (text === null || !text.isWellFormed()) {
      problems.add("body_invalid", at, [text === null ? "is too long" : halfPair]);
      return [];
    }
    return use(text.length, at, building) ? [text] : [];
  });
}

function readBase64(value: unknown, at: string, building: Building): readonly Uint8Array[] {
  const bytes = typeof value === "string" ? decodeBase64(value) : null;
  if (bytes === null) {
    building.problems.add("body_invalid", at, [
      "is not base64, so there is no file to send. For a file of text, choose the content text",
    ]);
    return [];
  }
  return use(bytes.byteLength, at, building) ? [bytes] : [];
}

/**
 * The bytes of a base64 text (RFC 4648), also in the form for URLs, without padding, with line
 * breaks, or in a `data:` URL. Null: it is another text. Node's decoder skips what it can't read.
 */
function decodeBase64(text: string): Uint8Array | null {
  const content = text.replace(/^data:[^,]{0,200};base64,/i, "").replace(/\s+/g, "");
  const digits = content.replace(/={1,2}$/, "");
  if (!/^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)$/.test(digits) || digits.length % 4 === 1) return null;
  const isPadded = digits.length !== content.length;
  if (isPadded && content.length % 4 !== 0) return null;
  return Buffer.from(digits, "base64");
}

/** Null: it is far too long. */
function readItem(value: unknown): string | null {
  if (typeof value === "string") return value;
  try {
    return valueToText(value);
  } catch {
    return null;
  }
}

function use(size: number, at: string, { room, render, problems }: Building): boolean {
  room.left -= size;
  if (room.left >= 0) return true;
  problems.add("body_invalid", at, [
    `makes the body longer than ${maxValueChars(render)} bytes, which is the limit for this delivery`,
  ]);
  return false;
}

function readText(source: string, at: string, { render, problems }: Building): string {
  const rendered = renderText(source, "text", render);
  if (!rendered.ok) {
    problems.addFailure(
      rendered.code === "missing" ? "mapping_failed" : "body_invalid",
      at,
      rendered,
    );
    return "";
  }
  if (rendered.text.length > maxNameChars)
    problems.add("body_invalid", at, [`has more than ${maxNameChars} characters`]);
  if (!rendered.text.isWellFormed()) problems.add("body_invalid", at, [halfPair]);
  return rendered.text;
}

function readType(source: string | null, at: string, building: Building): string | null {
  if (source === null) return null;
  const text = readText(source, at, building).trim();
  // Empty: the file's type, which the delivery has as null.
  if (text === "" || /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/.test(text))
    return text === "" ? null : text;
  building.problems.add("body_invalid", at, ["is not a content type, such as application/pdf"]);
  return null;
}

function field(name: string, content: string): FormPart {
  return { name, content, fileName: null, contentType: null };
}

const maxNameChars = 1_024;
const halfPair = "contains half of a surrogate pair";
const nested =
  "is an object, or a list of lists or objects, which a field can't contain. " +
  "Name one of its fields, or write it as JSON: {{ name | json }}";
