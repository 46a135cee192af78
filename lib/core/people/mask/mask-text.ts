/** Masks the fields of a text whose kind is recognized by what it contains: JSON, XML, a form, a URL, a token. */
import { isDeeperThan } from "#lib/core/mapping/json/is-deeper-than.ts";
import { findRepeatedName, skipSpace, skipValue } from "#lib/core/mapping/json/walk-json.ts";
import { parseContainer } from "#lib/core/mapping/payload/parse-json-text.ts";
import { readUtf8 } from "#lib/core/mapping/payload/read-utf8.ts";
import { maskText } from "#lib/schema/receive/mask-text.ts";
import { enterItem, enterNames, isMasked, type MaskState } from "./mask-state.ts";
import { maskXml } from "./mask-xml.ts";

/** Deeper JSON is masked as a whole. */
const maxDepth = 200;
/** Texts in texts, such as JSON in a string of a form. Deeper ones are masked as a whole. */
const maxNested = 6;
const maxFormFields = 2_000;

/**
 * Masks a JSON text, XML, or a form. What stays is as it was, byte for byte. Null: it is none of them, or
 * can be read in two ways, so nothing of it may be shown.
 */
export function maskDocument(text: string, state: MaskState, nested = 0): string | null {
  if (text.trim() === "") return text;
  if (nested > maxNested) return null;
  if (isMarkup(text)) return maskMarkup(text, state, nested);
  return maskJson(text, state, nested) ?? maskForm(text, state, nested);
}

function isMarkup(text: string): boolean {
  return /^\s*</.test(text);
}

function maskMarkup(text: string, state: MaskState, nested: number): string | null {
  if (nested > maxNested) return null;
  return maskXml(text, state, (value, inside) => maskValueText(value, inside, nested + 1));
}

/**
 * Masks the fields of what a text value contains, if it is more than a text: JSON, a form, the query
 * of a URL, or a token. `state` is that of the value.
 */
export function maskValueText(text: string, state: MaskState, nested = 0): string {
  if (isMasked(state)) return maskText;
  if (/^\s*[[{"]/.test(text)) return maskJson(text, state, nested + 1) ?? maskUnread(text);
  const markup = isMarkup(text) ? maskMarkup(text, state, nested + 1) : null;
  if (markup !== null) return markup;
  if (isUnreadXml(text)) return maskText;
  if (isEncoded(text)) return hidesMasked(text, state, nested + 1) ? maskText : text;
  const start = /^[^?#\s]*[?#](?=\S+$)/.exec(text)?.[0] ?? "";
  if (start !== "" && text.includes("=", start.length))
    return `${start}${maskForm(text.slice(start.length), state, nested + 1) ?? maskText}`;
  return maskForm(text, state, nested + 1) ?? text;
}

/** HTML is only a text. An XML document that can't be read may have anything in it. */
function isUnreadXml(text: string): boolean {
  return /^\s*<\?xml\s/.test(text);
}

/** A text in quotes is only a text. One that begins like an object or a list, and isn't, may be a part of one. */
function maskUnread(text: string): string {
  return /^\s*"/.test(text) ? text : maskText;
}

/** Null: it isn't JSON, repeats a name, or is too deep. */
function maskJson(text: string, state: MaskState, nested: number): string | null {
  if (nested > maxNested || isDeeperThan(text, maxDepth)) return null;
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  try {
    JSON.parse(text.slice(start));
  } catch {
    return null;
  }
  if (findRepeatedName(text) !== null) return null;
  const writer: Writer = { text, nested, parts: [], copied: 0 };
  walk(writer, skipSpace(text, start), state);
  return writer.parts.join("") + text.slice(writer.copied);
}

type Writer = {
  readonly text: string;
  readonly nested: number;
  readonly parts: string[];
  /** The end of the text that has been written. */
  copied: number;
};

/** @returns the end of the value that begins at `at` */
function walk(writer: Writer, at: number, state: MaskState): number {
  const { text } = writer;
  const opening = text[at];
  if (isMasked(state)) return replace(writer, at, maskText);
  if (opening === '"') {
    const value = String(JSON.parse(text.slice(at, skipValue(text, at))));
    const shown = maskValueText(value, state, writer.nested);
    return shown === value ? skipValue(text, at) : replace(writer, at, shown);
  }
  if (opening !== "{" && opening !== "[") return skipValue(text, at);
  let next = skipSpace(text, at + 1);
  for (let index = 0; text[next] !== "}" && text[next] !== "]"; index += 1) {
    let inside = enterItem(state, index);
    if (opening === "{") {
      const end = skipValue(text, next);
      inside = enterNames(state, String(JSON.parse(text.slice(next, end))));
      next = skipSpace(text, skipSpace(text, end) + 1);
    }
    next = skipSpace(text, walk(writer, next, inside));
    if (text[next] === ",") next = skipSpace(text, next + 1);
  }
  return next + 1;
}

function replace(writer: Writer, at: number, shown: string): number {
  const end = skipValue(writer.text, at);
  writer.parts.push(writer.text.slice(writer.copied, at), JSON.stringify(shown));
  writer.copied = end;
  return end;
}

/**
 * Null: it isn't a form. Names may be nested in brackets, such as `customer[email]`. One that can't be
 * decoded, or is in too many others, is masked as a whole.
 */
export function maskForm(text: string, state: MaskState, nested = 0): string | null {
  const fields = text.trim().split("&");
  if (fields.length > maxFormFields || !fields.every((field) => /^[^\s=]+=\S*$/.test(field)))
    return null;
  if (nested > maxNested) return maskText;
  try {
    return fields.map((field) => maskFormField(field, state, nested)).join("&");
  } catch (error) {
    // A name or a value that isn't valid UTF-8 in percent signs.
    if (error instanceof URIError) return maskText;
    throw error;
  }
}

function maskFormField(field: string, state: MaskState, nested: number): string {
  const end = field.indexOf("=");
  const name = decode(field.slice(0, end));
  const value = decode(field.slice(end + 1));
  // JSON that was sent as a form is the name of a field.
  if (isJsonContainer(name) && maskJson(name, state, nested + 1) !== name) return maskText;
  const inside = enterNames(state, name);
  const shown = maskValueText(value, inside, nested);
  if (shown === value) return field;
  const written = shown === maskText ? maskText : encodeURIComponent(shown);
  return `${field.slice(0, end)}=${written}`;
}

function isJsonContainer(text: string): boolean {
  return parseContainer(text) !== null;
}

/** A percent sign that escapes nothing is one, as in URLs. */
function decode(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " ").replace(/%(?![\da-f]{2})/gi, "%25"));
}

/** Base64 of JSON, alone or as the parts of a token. */
function isEncoded(text: string): boolean {
  return text.length >= 12 && /^[\w+/-]+={0,2}(?:\.[\w+/-]*={0,2}){0,4}$/.test(text);
}

/** True if a part of it is JSON with masked fields, or JSON that can't be read. */
function hidesMasked(text: string, state: MaskState, nested: number): boolean {
  return text.split(".").some((part) => {
    const inside = readUtf8(Buffer.from(part, "base64"));
    if (inside === null || !/^\s*[[{]/.test(inside)) return false;
    return maskJson(inside, state, nested) !== inside;
  });
}
