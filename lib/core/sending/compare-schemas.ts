import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";

/** What a new schema allows that the former one doesn't. */
export type SchemaChange = {
  /** `data.lines.0.price`, with `0` for any item. */
  readonly path: string;
  readonly message: string;
};

const maxChanges = 50;
const maxDepth = 32;
/** Schemas that refer to each other can have any number of places. */
const maxPlaces = 20_000;

/**
 * Compares two JSON Schemas of the data of an event type: what would break receivers that rely on the
 * former one. An optional property that is new breaks no one. Keywords that can't be compared count
 * as broken unless they are equal.
 *
 * @param before null: anything, on which no one can rely
 * @returns at most 50 changes
 */
export function listBreakingChanges(before: JsonValue, after: JsonValue): readonly SchemaChange[] {
  const changes: SchemaChange[] = [];
  if (before === null) return changes;
  const roots = { before, after: after ?? true };
  compare({ ...roots, roots, path: "data", depth: 0, changes, places: { left: maxPlaces } });
  return changes.slice(0, maxChanges);
}

/** The first changes, as the end of a sentence without a full stop. */
export function describeChanges(changes: readonly SchemaChange[]): string {
  const shown = changes.slice(0, 5).map(({ path, message }) => `${path} ${message}`);
  const more = changes.length > shown.length ? `; and ${changes.length - shown.length} more` : "";
  return `${shown.join("; ")}${more}`;
}

type Comparison = {
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly roots: { readonly before: JsonValue; readonly after: JsonValue };
  readonly path: string;
  readonly depth: number;
  readonly changes: SchemaChange[];
  readonly places: { left: number };
};

function compare(comparison: Comparison): void {
  const { roots, path, depth, changes, places } = comparison;
  places.left -= 1;
  if (places.left < 0 || changes.length >= maxChanges) return;
  const say = (message: string) => void changes.push({ path, message });
  const before = resolve(comparison.before, roots.before);
  const after = resolve(comparison.after, roots.after);
  const isSame = isDeepStrictEqual(before, after) && isDeepStrictEqual(roots.before, roots.after);
  if (isSame || before === true || isEmpty(before) || after === false) return;
  if (depth > maxDepth || places.left === 0) say("is too large to be compared");
  else if (!isJsonObject(before)) say("was never sent before");
  else if (!isJsonObject(after)) say("may be anything now");
  else compareObjects(before, after, comparison, say);
}

function compareObjects(
  before: JsonObject,
  after: JsonObject,
  comparison: Comparison,
  say: Say,
): void {
  compareTypes(before, after, say);
  compareValues(before, after, say);
  compareLimits(before, after, say);
  compareProperties(before, after, comparison);
  if (before.items !== undefined) compareInside(comparison, before.items, after.items ?? true, "0");
}

/** Follows a reference inside of the same document. */
function resolve(schema: JsonValue, root: JsonValue): JsonValue {
  let found = schema;
  for (let step = 0; step < maxDepth; step += 1) {
    const reference = isJsonObject(found) ? found.$ref : undefined;
    if (typeof reference !== "string" || !reference.startsWith("#")) return found;
    found = findPointer(root, reference.slice(1));
  }
  return found;
}

function findPointer(root: JsonValue, pointer: string): JsonValue {
  const names = pointer.split("/").slice(1);
  return names.reduce<JsonValue>((found, part) => {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    return isJsonObject(found) ? (found[name] ?? true) : true;
  }, root);
}

type Say = (message: string) => void;

function compareTypes(before: JsonObject, after: JsonObject, say: Say): void {
  if (before.type === undefined) return;
  const former = listOf(before.type);
  if (after.type === undefined) {
    if (after.enum === undefined && after.const === undefined)
      say(`may be of any type, and was ${former.join(" or ")}`);
    return;
  }
  const isKnown = (type: JsonValue) =>
    former.includes(type) || (type === "integer" && former.includes("number"));
  const added = listOf(after.type).filter((type) => !isKnown(type));
  if (added.length > 0) say(`may be ${added.join(" or ")}, and was ${former.join(" or ")}`);
}

function compareValues(before: JsonObject, after: JsonObject, say: Say): void {
  const former = listValues(before);
  if (former === null) return;
  const now = listValues(after);
  const isNew = (value: JsonValue) => !former.some((each) => isDeepStrictEqual(each, value));
  const added = now?.filter(isNew) ?? [];
  if (now === null) say(`may have other values than ${showValues(former)}`);
  else if (added.length > 0) say(`may be ${showValues(added)}`);
}

function listValues(schema: JsonObject): readonly JsonValue[] | null {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

function showValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, 5).map((value) => JSON.stringify(value).slice(0, 40));
  return `${shown.join(", ")}${values.length > 5 ? ", …" : ""}`;
}

const lowest = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const highest = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/** Each has to stay as it is. */
const fixed = [
  ...["pattern", "format", "multipleOf", "uniqueItems", "contentEncoding", "contentMediaType"],
  ...["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "prefixItems", "contains"],
  ...["patternProperties", "propertyNames", "dependentRequired", "dependentSchemas"],
  ...["unevaluatedProperties", "unevaluatedItems", "additionalItems", "dependencies", "$ref"],
];

function compareLimits(before: JsonObject, after: JsonObject, say: Say): void {
  const isOutside = (name: string, isWider: (former: number, now: number) => boolean) => {
    const [former, now] = [before[name], after[name]];
    if (former === undefined) return false;
    return typeof former !== "number" || typeof now !== "number" || isWider(former, now);
  };
  for (const name of lowest)
    if (isOutside(name, (former, now) => now < former))
      say(`has no ${name} of ${JSON.stringify(before[name])} any more`);
  for (const name of highest)
    if (isOutside(name, (former, now) => now > former))
      say(`has no ${name} of ${JSON.stringify(before[name])} any more`);
  for (const name of fixed)
    if (before[name] !== undefined && !isDeepStrictEqual(before[name], after[name]))
      say(`has another ${name}, which can't be compared`);
}

function compareProperties(before: JsonObject, after: JsonObject, comparison: Comparison): void {
  const { path, changes } = comparison;
  const [former, now] = [propertiesOf(before), propertiesOf(after)];
  const required = new Set(Array.isArray(after.required) ? after.required : []);
  const wasRequired = Array.isArray(before.required) ? before.required : [];
  const tell = (name: string, message: string) =>
    void changes.push({ path: `${path}.${name}`, message });
  for (const name of wasRequired)
    if (typeof name === "string" && !required.has(name) && Object.hasOwn(now, name))
      tell(name, "may be missing");
  for (const [name, schema] of Object.entries(former)) {
    if (Object.hasOwn(now, name)) compareInside(comparison, schema, now[name] ?? true, name);
    else tell(name, "was removed");
  }
  const others = before.additionalProperties;
  if (others === undefined || others === true) return;
  for (const name of Object.keys(now))
    if (others === false && !Object.hasOwn(former, name))
      tell(name, "is new, and the former schema allows no other properties");
  compareInside(comparison, others, after.additionalProperties ?? true, "*");
}

function compareInside(
  { path, depth, ...comparison }: Comparison,
  before: JsonValue,
  after: JsonValue,
  name: string,
): void {
  compare({ ...comparison, before, after, path: `${path}.${name}`, depth: depth + 1 });
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return properties !== undefined && isJsonObject(properties) ? properties : {};
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [value];
}

function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).every((name) => annotations.has(name));
}

const annotations = new Set([
  ...["title", "description", "examples", "default", "deprecated", "readOnly", "writeOnly"],
  ...["$schema", "$id", "$comment", "$defs", "definitions"],
]);
