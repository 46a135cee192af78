import { isUtf8 } from "node:buffer";
import { classifyContentType } from "./content-kind.ts";
import { decodeForm, partDecoder } from "./decode-form.ts";
import { type DecodedText, decodeByBytes, decodeText, findUtf16 } from "./decode-text.ts";
import { decodeXml, startsLikeXml } from "./decode-xml.ts";
import { isField, type MultipartPart, readMultipartForm } from "./multipart.ts";
import { parseForm } from "./parse-form.ts";
import {
  guessJson,
  type JsonText,
  maxPayloadDepth,
  parseJsonText,
  parseLines,
} from "./parse-json-text.ts";
import { collectFields, type FormFields, findEvent, toFormValue } from "./read-form.ts";
import { readXml } from "./read-xml.ts";

/**
 * The parsed view of a body. It is derived and optional: the bytes are what was signed and is
 * stored. `text` is the JSON as sent, for exact numbers, or the JSON that XML stands for.
 */
export type Payload =
  | {
      readonly kind: "json";
      readonly text: string;
      readonly value: unknown;
      /** False: bytes that are no text were replaced by U+FFFD. */
      readonly isUtf8: boolean;
      /** The fields of the form that the JSON was one of. */
      readonly fields?: FormFields;
    }
  | {
      readonly kind: "form";
      /** JSON text. Null: all fields are text. */
      readonly text: string | null;
      /** A field that is a JSON object or list is its value. */
      readonly value: Readonly<Record<string, unknown>>;
      /** The text as sent. */
      readonly fields: FormFields;
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
  /** The body is XML, as its Content-Type or its start says, that can't be read. */
  | "invalid_xml"
  /** The body wasn't declared as JSON, and isn't valid JSON either. */
  | "not_json"
  | "too_deep"
  | "too_many_fields"
  | "no_fields"
  | "unsupported_type"
  | "undecodable";

/**
 * Reads a body (already decoded from its Content-Encoding). What parses as JSON or XML is that, unless it is
 * declared as a form and is one. Never throws. The last value of a duplicate JSON key counts, as in
 * `JSON.parse` (RFC 8259 §4 leaves it open). The text is read without its charset: the identity of an
 * event must not depend on a header that isn't signed.
 *
 * @param payloadField the form field that is the whole event, if the provider has one
 */
export function readPayload(
  body: Uint8Array,
  contentType: string | null,
  payloadField: string | null = null,
): Payload {
  return read({ body, contentType, payloadField }, undeclared);
}

type DeclaredPayload = {
  readonly payload: Payload;
  /** True if bytes that are no text in the body's charset were replaced by U+FFFD. */
  readonly isDamaged: boolean;
};

/** Reads a body as `readPayload` does, but by its declared charset: what people see, and what is sent. */
export function readDeclared(
  body: Uint8Array,
  contentType: string | null,
  payloadField: string | null = null,
): DeclaredPayload {
  let isDamaged = false;
  const note = (decoded: DecodedText) => {
    isDamaged ||= decoded.isDamaged;
    return decoded.text;
  };
  const payload = read(
    { body, contentType, payloadField },
    {
      readText: () => note(decodeText(body, contentType)),
      readMarkup: () => {
        const decoded = decodeXml(body, contentType);
        isDamaged ||= decoded.isDamaged;
        return decoded;
      },
      readPairs: () => {
        const form = decodeForm(body, contentType);
        isDamaged ||= form.isDamaged;
        return form.pairs;
      },
      decodeParts: (parts, type) => {
        const decode = partDecoder(parts, type);
        return (part) => note(decode(part));
      },
    },
  );
  return { payload, isDamaged: payload.kind !== "none" && isDamaged };
}

type Sent = {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  readonly payloadField: string | null;
};

type Decoding = {
  readonly readText: (body: Uint8Array) => string;
  /** The text of XML, which can declare its charset itself. */
  readonly readMarkup: (body: Uint8Array) => DecodedText;
  /** Null: the form has too many fields. */
  readonly readPairs: (body: Uint8Array) => Iterable<readonly [name: string, text: string]> | null;
  readonly decodeParts: (
    parts: readonly MultipartPart[],
    contentType: string,
  ) => (part: MultipartPart) => string;
};

const undeclared: Decoding = {
  readText: decodeByBytes,
  readMarkup: (body) => decodeXml(body, null),
  readPairs: (body) => parseForm(decodeByBytes(body)),
  decodeParts: () => (part) => decodeByBytes(part.body),
};

function read(sent: Sent, decoding: Decoding): Payload {
  const { body, contentType } = sent;
  if (body.byteLength === 0) return none("empty", "The body is empty.");
  const kind = classifyContentType(contentType);
  if (kind !== "json" && startsLikeXml(body)) {
    const xml = readMarkup(decoding.readMarkup(body), contentType);
    if (xml !== null) return xml;
  }
  switch (kind) {
    case "json":
      return readJson(body, decoding.readText(body), invalidJson);
    case "lines":
      return readLines(body, decoding.readText(body));
    case "form":
      return readContainer(body, decoding) ?? readForm(sent, decoding);
    case "multipart":
      return readContainer(body, decoding) ?? readFields(sent, decoding);
    case "maybe-json":
    case "xml":
    case "other":
      return readUndeclared(body, decoding, neither[kind]);
    default:
      return kind satisfies never;
  }
}

/** Null: it is neither declared as XML nor well-formed, so it may be anything. A page of HTML is no data. */
function readMarkup({ text, isDamaged }: DecodedText, contentType: string | null): Payload | null {
  const isDeclared = classifyContentType(contentType) === "xml" || /^\s*<\?xml\s/.test(text);
  if (!isDeclared && /^\s*text\/html\b/i.test(contentType ?? "")) return null;
  const read = readXml(text);
  if (read.ok) {
    const { value } = read;
    return { kind: "json", text: JSON.stringify(value), value, isUtf8: !isDamaged };
  }
  if (!isDeclared) return null;
  return none("invalid_xml", `This XML can't be read: ${read.message}.`);
}

function readJson(body: Uint8Array, text: string, invalid: Payload): Payload {
  const parsed = parseJsonText(text);
  if (typeof parsed !== "string") return toJson(body, parsed);
  return parsed === "invalid" ? invalid : tooDeep;
}

/** JSON in UTF-16 is intact if nothing was replaced. */
function toJson(body: Uint8Array, { text, value }: JsonText): Payload {
  const isIntact = findUtf16(body) === null ? isUtf8(body) : !text.includes("\ufffd");
  return { kind: "json", text, value, isUtf8: isIntact };
}

function readLines(body: Uint8Array, text: string): Payload {
  const parsed = parseLines(text);
  if (typeof parsed !== "string") return toJson(body, parsed);
  if (parsed === "too_many_lines")
    return none("too_many_fields", "The body has too many lines to be read.");
  return parsed === "too_deep" ? tooDeep : none("not_json", "A line of the body isn't JSON.");
}

/** JSON that was sent as a form, as curl does by default. Null: the body isn't an object or a list. */
function readContainer(body: Uint8Array, { readText }: Decoding): Payload | null {
  if (!mayBeContainer(body)) return null;
  const parsed = parseJsonText(readText(body));
  return typeof parsed === "string" ? null : toJson(body, parsed);
}

function readUndeclared(body: Uint8Array, { readText }: Decoding, otherwise: Payload): Payload {
  const isLike = mayBeContainer(body);
  if (!isLike && guessJson(body) === null) return otherwise;
  return readJson(body, readText(body), isLike && otherwise !== neither.xml ? notJson : otherwise);
}

function mayBeContainer(body: Uint8Array): boolean {
  return guessJson(body) === "container" || findUtf16(body) !== null;
}

function readForm({ body, payloadField }: Sent, { readPairs }: Decoding): Payload {
  const pairs = readPairs(body);
  if (pairs === null) return tooManyFields;
  const fields = collectFields(pairs);
  const event = findEvent(fields, payloadField);
  if (event === null) return { kind: "form", ...toFormValue(fields), fields };
  return { kind: "json", ...event, isUtf8: true, fields };
}

/** The fields of a multipart form as JSON. Files are skipped. */
function readFields(sent: Sent, { decodeParts }: Decoding): Payload {
  const contentType = sent.contentType ?? "";
  const form = readMultipartForm(sent.body, contentType);
  if (form?.hasMore === true) return tooManyFields;
  const parts = form?.parts.filter(isField) ?? [];
  if (parts.length === 0) return none("no_fields", "The multipart body has no text fields.");
  const decode = decodeParts(parts, contentType);
  const fields = collectFields(parts.map((part) => [part.name, decode(part)]));
  const { text, value } = findEvent(fields, sent.payloadField) ?? toFormValue(fields);
  return { kind: "json", text: text ?? JSON.stringify(value), value, isUtf8: true };
}

const invalidJson = none(
  "invalid_json",
  "The body isn't valid JSON, although its Content-Type says so.",
);
const notJson = none("not_json", "The body isn't JSON.");
const tooDeep = none("too_deep", `The JSON is nested deeper than ${maxPayloadDepth} levels.`);
const neither = {
  "maybe-json": notJson,
  xml: none("invalid_xml", "The body isn't XML, although its Content-Type says so."),
  other: none("unsupported_type", "The body is neither JSON, XML, nor a form."),
} as const;
const tooManyFields = none("too_many_fields", "The form has too many fields to be read.");

function none(code: PayloadErrorCode, reason: string): Payload {
  return { kind: "none", code, reason };
}
