import { type JsonSchema, shapeName, wholeShape } from "#lib/web/api/shared-shapes.ts";
import type { Shapes } from "./api-document.ts";

/** The type of a field in a few words: `string, at most 200 characters, or null`. */
export function describeType(schema: JsonSchema, shapes: Shapes): string {
  const { anyOf, oneOf } = schema;
  const choices = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (choices !== undefined) return describeChoices(choices, shapes);
  if (typeof schema.$ref === "string") return describeNamed(shapeName(schema.$ref), schema, shapes);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = [schema.type].flat().map((type) => describePlain(type, schema, shapes));
  return types.join(" or ");
}

/** A named shape has its name, unless it is text or anything. */
function describeNamed(name: string, schema: JsonSchema, shapes: Shapes): string {
  const { type, oneOf, anyOf } = wholeShape(schema, shapes);
  if (type === "string") return "string";
  return oneOf === undefined && anyOf === undefined && type === undefined ? "any JSON" : name;
}

function describeChoices(choices: readonly JsonSchema[], shapes: Shapes): string {
  const others = choices.filter(({ type }) => type !== "null");
  const texts = [...new Set(others.map((choice) => describeType(choice, shapes)))];
  const all = choices.length > others.length ? [...texts, "null"] : texts;
  return all.join(" or ");
}

function describePlain(type: unknown, schema: JsonSchema, shapes: Shapes): string {
  if (type === "array") return describeList(schema, shapes);
  if (type === "string") return describeText(schema);
  if (type === "integer" || type === "number") return describeNumber(String(type), schema);
  return type === undefined ? "any JSON" : String(type);
}

function describeList({ items = {}, prefixItems, maxItems }: JsonSchema, shapes: Shapes): string {
  const each = prefixItems === undefined ? describeType(items as JsonSchema, shapes) : "values";
  const limit = typeof maxItems === "number" ? `, at most ${count(maxItems)}` : "";
  return `list of ${/ or | \| /.test(each) ? `(${each})` : each}${limit}`;
}

function describeText({ format, minLength, maxLength }: JsonSchema): string {
  if (format === "date-time") return "time";
  if (format === "uuid") return "id";
  const min = Number(minLength ?? 0);
  if (typeof maxLength !== "number") return "string";
  return min > 1
    ? `string, ${count(min)} to ${count(maxLength)} characters`
    : `string, at most ${count(maxLength)} characters`;
}

/** JSON Schema bounds every integer that has no bounds of its own. */
function describeNumber(type: string, { minimum, maximum }: JsonSchema): string {
  const from = isOwn(minimum) ? minimum : undefined;
  const to = isOwn(maximum) ? maximum : undefined;
  if (from !== undefined && to !== undefined) return `${type}, ${count(from)} to ${count(to)}`;
  if (from !== undefined) return `${type}, at least ${count(from)}`;
  return to === undefined ? type : `${type}, at most ${count(to)}`;
}

function isOwn(bound: unknown): bound is number {
  return typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
