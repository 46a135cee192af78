import { findJsonFault } from "#lib/core/mapping/json/scan-json.ts";
import { skipValue } from "#lib/core/mapping/json/walk-json.ts";
import { classifyContentType } from "#lib/core/mapping/payload/content-kind.ts";
import { parseForm } from "#lib/core/mapping/payload/parse-form.ts";
import { readXml } from "#lib/core/mapping/payload/read-xml.ts";
import { readSteps, writePath } from "#lib/schema/field/value-path.ts";

/** The values of a payload by their path, such as `data.items.0.id`, in their order. */
export type PayloadValues = ReadonlyMap<string, string>;

/** The maximum number of values read of one payload. */
const maxValues = 400;
/** Longer values are cut: a list shows one line. */
const maxChars = 200;

/**
 * Reads the values at the start of a body, as far as it goes: the end may be cut off. Texts are
 * without quotes, numbers have all their digits, and objects and lists are JSON. Empty if the body
 * is neither JSON, XML, nor a form.
 */
export function readPayloadValues(
  text: string,
  contentType: string | null,
  payloadField: string | null = null,
): PayloadValues {
  if (startsLikeJson(text)) return readJson(text);
  const kind = classifyContentType(contentType);
  const xml = kind !== "json" && /^\s*</.test(text) ? readXml(text, { isCut: true }) : null;
  if (xml?.ok === true) return readJson(JSON.stringify(xml.value));
  return kind === "form" ? readForm(text, payloadField) : new Map();
}

/** A field with JSON has the values in it, and the field that is the whole event is the payload. */
function readForm(text: string, payloadField: string | null): PayloadValues {
  const fields = [...(parseForm(text) ?? [])].slice(0, maxValues);
  const event = fields.find(([name, value]) => name === payloadField && startsLikeJson(value));
  if (event !== undefined) return readJson(event[1]);
  const values = fields.flatMap(([name, value]): [string, string][] => {
    const inside = startsLikeJson(value) ? [...readJson(value)] : [];
    const field = writePath([name]);
    const named = inside.map(([path, one]): [string, string] => [
      path.startsWith("[") ? field + path : `${field}.${path}`,
      one,
    ]);
    return [[field, value.slice(0, maxChars)], ...named];
  });
  return new Map(values.slice(0, maxValues));
}

function startsLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function readJson(text: string): PayloadValues {
  const values = new Map<string, string>();
  findJsonFault(text, (path, index) => {
    if (path === "" || values.size >= maxValues) return;
    const value = readValue(text, index);
    if (value !== null) values.set(toColumn(path.replace(/^\./, "")), value);
  });
  return values;
}

/** Null: its end is cut off. */
function readValue(text: string, start: number): string | null {
  if (text[start] === "{" || text[start] === "[") {
    const part = text.slice(start, start + maxChars);
    return part.slice(0, skipValue(part, 0));
  }
  const end = skipValue(text, start);
  if (end >= text.length) return null;
  const written = text.slice(start, end);
  if (text[start] !== '"') return written.slice(0, maxChars);
  try {
    return String(JSON.parse(written)).slice(0, maxChars);
  } catch {
    // Not valid JSON from here on.
    return null;
  }
}

/** The one way to write a path as a column: `items[0].id` is `items.0.id`. */
export function toColumn(path: string): string {
  if (!/["']/.test(path)) return path.replaceAll(/\[(\d+)\]/g, ".$1").replace(/^\./, "");
  return readSteps(path).reduce<string>((column, step) => {
    if (/^\d+$/.test(String(step))) return column === "" ? String(step) : `${column}.${step}`;
    const name = writePath([step]);
    return column === "" || name.startsWith("[") ? column + name : `${column}.${name}`;
  }, "");
}

/** True for the values that a line can show: not the JSON of an object or list. */
export function isPlain(value: string): boolean {
  return !/^[[{]/.test(value);
}
