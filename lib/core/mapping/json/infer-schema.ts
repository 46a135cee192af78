import { ExactNumber, type JsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";
import { readDate } from "#lib/schema/field/read-date.ts";

/**
 * A JSON Schema (draft 2020-12) that the value matches: types, the properties that every object of
 * a list has, and formats that a text can't have by chance. The packages for this on npm haven't
 * changed for years, and none keeps exact numbers.
 */
export function inferSchema(value: JsonValue): JsonValue {
  return inferFrom([value]);
}

/** A schema that all of the values match. */
function inferFrom(values: readonly JsonValue[]): JsonValue {
  const types = listTypes(values);
  // A null alone says nothing about other values.
  if (types.length === 0 || types[0] === "null") return {};
  const [type = "null", ...others] = types;
  return {
    type: others.length === 0 ? type : [...types],
    ...describeObjects(values.filter(isObject)),
    ...describeLists(values.filter((value) => Array.isArray(value))),
    ...describeTexts(values.filter((value) => typeof value === "string")),
  };
}

/** The types of the values, null last. Integers beside other numbers are numbers. */
function listTypes(values: readonly JsonValue[]): readonly string[] {
  const types = new Set(values.map(typeOf));
  if (types.has("number")) types.delete("integer");
  const isNullable = types.delete("null");
  return [...types, ...(isNullable ? ["null"] : [])];
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof ExactNumber) return /^-?\d+$/.test(value.toString()) ? "integer" : "number";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeOf(value) === "object";
}

function describeObjects(objects: readonly JsonObject[]): JsonObject {
  if (objects.length === 0) return {};
  const byName = Map.groupBy(
    objects.flatMap((object) => Object.entries(object)),
    ([name]) => name,
  );
  const properties = [...byName].map(
    ([name, entries]) => [name, inferFrom(entries.map(([, value]) => value))] as const,
  );
  const required = [...byName].flatMap(([name, entries]) =>
    entries.length === objects.length ? [name] : [],
  );
  return {
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

function describeLists(lists: readonly (readonly JsonValue[])[]): JsonObject {
  const items = lists.flat();
  return items.length === 0 ? {} : { items: inferFrom(items) };
}

function describeTexts(texts: readonly string[]): JsonObject {
  if (texts.length === 0) return {};
  const format = formats.find(({ matches }) => texts.every(matches))?.format;
  return format === undefined ? {} : { format };
}

const time = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const dateTime = new RegExp(`^\\d{4}-\\d\\d-\\d\\dT${time}:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-]${time})$`);
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const formats = [
  { format: "date-time", matches: isDateTime },
  { format: "uuid", matches: (text: string) => uuid.test(text) },
];

/** RFC 3339. */
function isDateTime(text: string): boolean {
  return dateTime.test(text) && readDate(text).ok;
}
