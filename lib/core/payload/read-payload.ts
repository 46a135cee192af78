import { isUtf8 } from "node:buffer";
import { isDeeperThan } from "#lib/core/json/is-deeper-than.ts";
import { classifyContentType } from "./content-kind.ts";
import { decodeForm, decodeText, hasCharset } from "./decode-text.ts";
import { type DecodeField, readMultipart, readMultipartForm } from "./multipart.ts";
import { parseForm } from "./parse-form.ts";

/**
 * The parsed view of a body. It is derived and optional: the bytes are what was signed and is
 * stored. `text` is the JSON as sent, for exact numbers.
 */
export type Payload =
  | {
      readonly kind: "json";
      readonly text: string;
      readonly value: unknown;
      readonly isUtf8: boolean;
    }
  | {
      readonly kind: "form";
      readonly text: string;
      readonly value: Readonly<Record<string, string | string[]>>;
    }
  | { readonly kind: "none"; readonly code: PayloadErrorCode; readonly reason: string };

/** The reasons why a body has no parsed view. The API documents these, so they never change. */
export type PayloadErrorCode =
  | "empty"
  /** Only the start of a rejected body is stored, or none of it. */
  | "body_cut"
  /** Fields are masked for the reader, and can't be told apart. */
  | "masked"
  /** The body was declared as JSON, and isn't valid. */
  | "invalid_json"
  /** The body wasn't declared as JSON, and isn't valid JSON either. */
  | "not_json"
  | "too_deep"
  | "too_many_fields"
  | "no_fields"
  | "unsupported_type"
  | "undecodable";

/**
 * The limit is ten times as deep as anything ever seen. Deeper JSON isn't parsed: the parser takes
 * 2 s for ten megabytes of `[`.
 */
export const maxPayloadDepth = 1_000;

/**
 * Reads a body (already decoded from its Content-Encoding) by Content-Type. Never throws. The last
 * value of a duplicate JSON key counts, as in `JSON.parse` (RFC 8259 §4 leaves it open). The text is read as
 * UTF-8 whatever its charset: the identity of an event must not depend on a header that isn't signed.
 */
export function readPayload(body: Uint8Array, contentType: string | null): Payload {
  const kind = classifyContentType(contentType);
  if (body.byteLength === 0) return none("empty", "The body is empty.");
  if (kind === "form") return readForm(body);
  if (kind === "multipart") return readFields(body, contentType ?? "");
  if (kind === "other") return none("unsupported_type", "The body is neither JSON nor a form.");
  return readJson(body, utf8.decode(body), kind === "json");
}

type DeclaredPayload = {
  readonly payload: Payload;
  /** True if bytes that are no text in the body's charset were replaced by U+FFFD. */
  readonly isDamaged: boolean;
};

/** Reads a body as `readPayload` does, but by its declared charset: what people see, and what is sent. */
export function readDeclared(body: Uint8Array, contentType: string | null): DeclaredPayload {
  const kind = classifyContentType(contentType);
  if (kind === "form") {
    const form = decodeForm(body, contentType);
    return { payload: readPayload(form.body, contentType), isDamaged: form.isDamaged };
  }
  if (kind === "multipart") return readDeclaredFields(body, contentType ?? "");
  if (kind === "other" || body.byteLength === 0)
    return { payload: readPayload(body, contentType), isDamaged: false };
  const { text, isDamaged } = decodeText(body, contentType);
  return { payload: readJson(body, text, kind === "json"), isDamaged };
}

/** A field of a multipart form has a charset of its own, or that of the form. */
function readDeclaredFields(body: Uint8Array, contentType: string): DeclaredPayload {
  let isDamaged = false;
  const payload = readFields(body, contentType, (part) => {
    const type = hasCharset(part.contentType ?? "") ? part.contentType : contentType;
    const decoded = decodeText(part.body, type);
    isDamaged ||= decoded.isDamaged;
    return decoded.text;
  });
  return { payload: body.byteLength === 0 ? readPayload(body, contentType) : payload, isDamaged };
}

function readJson(body: Uint8Array, text: string, isDeclared: boolean): Payload {
  if (isDeeperThan(text, maxPayloadDepth))
    return none("too_deep", `The JSON is nested deeper than ${maxPayloadDepth} levels.`);
  try {
    return { kind: "json", text, value: JSON.parse(text), isUtf8: isUtf8(body) };
  } catch {
    if (isDeclared)
      return none("invalid_json", "The body isn't valid JSON, although its Content-Type says so.");
    return none("not_json", "The body isn't JSON.");
  }
}

// Replaces invalid UTF-8 by U+FFFD: losing a delivery because of one bad byte would be worse.
const utf8 = new TextDecoder("utf-8");

function readForm(body: Uint8Array): Payload {
  const text = utf8.decode(body);
  const pairs = parseForm(text);
  if (pairs === null) return none("too_many_fields", "The form has too many fields to be read.");
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const known = fields.get(name);
    if (known === undefined) fields.set(name, value);
    else if (Array.isArray(known)) known.push(value);
    else fields.set(name, [known, value]);
  }
  return { kind: "form", text, value: Object.fromEntries(fields) };
}

/**
 * The text fields of a multipart form as JSON. A field that is a JSON object or list (Dropbox
 * Sign's `json`) is inserted as such with its original digits, so that its fields can be mapped.
 */
function readFields(body: Uint8Array, contentType: string, decode?: DecodeField): Payload {
  const fields = readMultipart(body, contentType, decode);
  if (fields === null && readMultipartForm(body, contentType) !== null)
    return none("too_many_fields", "The form has too many fields to be read.");
  if (fields === null || fields.length === 0)
    return none("no_fields", "The multipart body has no text fields.");
  const byName = Map.groupBy(fields, ({ name }) => name);
  const entries = [...byName].map(([name, same]) => {
    const texts = same.map(({ text }) => (isJsonContainer(text) ? text : JSON.stringify(text)));
    return `${JSON.stringify(name)}:${texts.length === 1 ? texts[0] : `[${texts.join(",")}]`}`;
  });
  const text = `{${entries.join(",")}}`;
  return { kind: "json", text, value: JSON.parse(text), isUtf8: true };
}

function isJsonContainer(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || isDeeperThan(text, maxPayloadDepth)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The text starts like JSON but isn't, or is nested too deep. It stays text.
    return false;
  }
}

function none(code: PayloadErrorCode, reason: string): Payload {
  return { kind: "none", code, reason };
}
