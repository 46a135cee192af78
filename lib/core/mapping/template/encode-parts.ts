import { encodeCsv, encodeTsv } from "#lib/core/mapping/encode/encode-csv.ts";
import { encodeGraphql } from "#lib/core/mapping/encode/encode-graphql.ts";
import {
  encodeJson,
  encodeJsonLines,
  encodeJsonSequence,
} from "#lib/core/mapping/encode/encode-json.ts";
import { encodeCalendar, encodeLines } from "#lib/core/mapping/encode/encode-lines.ts";
import { encodeMessage, encodeMessageParts } from "#lib/core/mapping/encode/encode-message.ts";
import { encodeYaml } from "#lib/core/mapping/encode/encode-yaml.ts";
import type { Place } from "#lib/core/mapping/encode/place.ts";
import type { Encoded, TextPart } from "#lib/core/mapping/encode/text-part.ts";
import type { Part } from "./parts-emitter.ts";
import { TemplateFault } from "./render-budget.ts";
import { maxOutputChars, valueToJson, valueToText } from "./value-to-text.ts";

/** Throws a `TemplateFault` if a value isn't allowed in its place, or the text is over 1 MiB. */
export function encodeParts(parts: readonly Part[], place: Place): string {
  switch (place) {
    case "text":
      return join(parts, valueToText);
    case "header":
      return checkHeader(join(parts, valueToText));
    case "xml":
      return join(parts, (value, room) => escapeXml(valueToText(value, room)));
    case "form":
      return join(parts, (value, room) => encodeFormText(valueToText(value, room)));
    case "url":
      return encodeUrl(parts);
    default:
      return encodeByFormat(parts, encoders[place]);
  }
}

/** Formats whose own text decides how a value is written. */
const encoders = {
  json: encodeJson,
  jsonLines: encodeJsonLines,
  jsonSequence: encodeJsonSequence,
  graphql: encodeGraphql,
  yaml: encodeYaml,
  csv: encodeCsv,
  tsv: encodeTsv,
  calendar: encodeCalendar,
  lines: encodeLines,
  message: encodeMessage,
  multipart: encodeMessageParts,
} as const satisfies Partial<Record<Place, Encoder>>;

type Encoder = (parts: readonly TextPart[]) => Encoded;

function encodeByFormat(parts: readonly Part[], encode: Encoder): string {
  let room = maxOutputChars;
  const use: Use = (toText) => {
    const text = toText(room);
    room -= text.length;
    if (room < 0) throw new TemplateFault(tooLong);
    return text;
  };
  const encoded = encode(
    parts.map((part) => (part.kind === "literal" ? part : new ValuePart(part.value, use))),
  );
  if (!encoded.ok) throw new TemplateFault(encoded.message);
  if (encoded.text.length > maxOutputChars) throw new TemplateFault(tooLong);
  return encoded.text;
}

type Use = (toText: (room: number) => string) => string;

/** Most formats read a value in one of its two forms only. */
class ValuePart {
  readonly kind = "value";
  readonly #value: unknown;
  readonly #use: Use;
  #text: string | undefined;

  constructor(value: unknown, use: Use) {
    this.#value = value;
    this.#use = use;
  }

  get text(): string {
    this.#text ??= this.#use((room) => valueToText(this.#value, room));
    return this.#text;
  }

  json(): string {
    return this.#use((room) => valueToJson(this.#value, room));
  }
}

const tooLong = "the text is over 1 MiB";

function join(parts: readonly Part[], encode: (value: unknown, room: number) => string): string {
  let text = "";
  for (const part of parts) {
    text += part.kind === "literal" ? part.text : encode(part.value, maxOutputChars - text.length);
    if (text.length > maxOutputChars) throw new TemplateFault(tooLong);
  }
  return text;
}

/**
 * RFC 9110 §5.5: visible ASCII, space, tab, and obs-text; here obs-text is Latin-1, which is what
 * undici sends.
 */
function checkHeader(text: string): string {
  const bad = /[^\t\x20-\x7e\x80-\xff]/u.exec(text);
  if (bad !== null) {
    const code = (bad[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    throw new TemplateFault(`a header can't contain the character U+${code}`);
  }
  return text.replace(/^[\t ]+/, "").trimEnd();
}

const xmlEntities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => xmlEntities[character] ?? character);
}

/** One name or value of a form or query, percent-encoded as UTF-8. */
export function encodeUrlText(text: string): string {
  if (!text.isWellFormed()) throw new TemplateFault("a URL can't contain half of a surrogate pair");
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function encodeFormText(text: string): string {
  return encodeUrlText(text).replaceAll("%20", "+");
}

/** The path up to the first `?` of the template itself, the query after it. */
function encodeUrl(parts: readonly Part[]): string {
  let url = "";
  let segmentStart = 0;
  let segmentHasValue = false;
  let isQuery = false;
  const endSegment = (): void => {
    if (segmentHasValue) checkSegment(url.slice(segmentStart));
    segmentHasValue = false;
  };
  for (const part of parts) {
    if (part.kind === "value") {
      url += isQuery ? encodeUrlText(valueToText(part.value)) : encodePathValue(part.value);
      segmentHasValue = !isQuery;
    }
    for (const character of part.kind === "literal" ? part.text : "") {
      if (!isQuery && (character === "/" || character === "?")) {
        endSegment();
        segmentStart = url.length + 1;
        isQuery = character === "?";
      }
      url += checkUrlCharacter(character);
    }
    if (url.length > maxOutputChars) throw new TemplateFault("the URL is over 1 MiB");
  }
  endSegment();
  return url;
}

function encodePathValue(value: unknown): string {
  if (value === null || value === undefined) throw new TemplateFault("a value in the path is null");
  if (Array.isArray(value)) throw new TemplateFault("a value in the path is a list");
  const text = valueToText(value);
  if (typeof value === "object" && text.startsWith("{"))
    throw new TemplateFault("a value in the path is an object");
  return encodeUrlText(text);
}

/**
 * A value that empties a segment, or walks up with `..`, would call another URL than the template
 * says.
 */
function checkSegment(segment: string): void {
  const plain = segment.replace(/%2e/gi, ".");
  if (plain === "" || plain === "." || plain === "..") {
    throw new TemplateFault(`a value makes the path segment "${plain}", which is not allowed`);
  }
}

/**
 * URL parsers silently drop or rewrite these, so the called URL would differ from the one written.
 */
function checkUrlCharacter(character: string): string {
  if (character <= " " || character === "\\" || character === "\x7f") {
    throw new TemplateFault("a URL can't contain spaces, control characters, or backslashes");
  }
  if (character === "#")
    throw new TemplateFault("a URL can't contain a fragment (#…), since it is never sent");
  return character;
}
