import type { Route } from "#lib/web/route/route.ts";
import table from "./example-values.json" with { type: "json" };
import { type JsonSchema, shapeName, wholeShape } from "./shared-shapes.ts";

const values: Readonly<Record<string, unknown>> = table.values;
const ids: Readonly<Record<string, string>> = table.ids;

type Shapes = Readonly<Record<string, JsonSchema>>;
type Place = {
  readonly shapes: Shapes;
  /** The shapes that it is in, the innermost first. */
  readonly owners: readonly string[];
  readonly field: string;
};

/** The response of a call, with what a reader expects in its fields. What was sent comes back. */
export function makeResponse(
  schema: JsonSchema,
  shapes: Shapes,
  { operationId, example: sent = {} }: Pick<Route, "operationId" | "example">,
): unknown {
  const made = makeExample(schema, { shapes, owners: [operationId], field: "" });
  if (typeof made !== "object" || made === null || Array.isArray(made)) return made;
  const { properties = {} } = wholeShape(schema, shapes) as { properties?: Shapes };
  const echoed = Object.entries(sent).filter(([name, value]) => {
    const field = properties[name];
    if (field === undefined || typeof value === "object") return false;
    const isAllowed = new RegExp(String(field.pattern ?? "")).test(String(value));
    return isAllowed && isOfType(value, field, shapes);
  });
  return { ...made, ...Object.fromEntries(echoed) };
}

/** The id or the name in a path such as `/hooks/{id}`. */
export function pathExample(path: string, name: string): unknown {
  if (name === "number") return "3";
  const noun = path.split("/")[1] ?? "";
  const shape = noun.replace(/ies$/, "y").replace(/s$/, "");
  const owner = shape.charAt(0).toUpperCase() + shape.slice(1);
  return noun === "event-types" ? "invoice.paid" : exampleOf([owner], "id");
}

function makeExample(schema: JsonSchema, place: Place): unknown {
  const known = exampleOf(place.owners, place.field);
  if (known !== undefined && isOfType(known, schema, place.shapes)) return known;
  if (typeof schema.$ref === "string") return makeNamed(schema.$ref, place);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [choice] = listChoices(schema);
  if (choice !== undefined) return makeExample(choice, place);
  const [type] = [schema.type].flat();
  if (type === "array") return makeList(schema, place);
  if (type === "object") return makeObject(schema, place);
  return makePlain(type, schema, place);
}

function makeNamed($ref: string, place: Place): unknown {
  const name = shapeName($ref);
  const names = [name, name.replace(changed, "")];
  const whole = wholeShape({ $ref }, place.shapes);
  return makeExample(whole, { ...place, field: "", owners: [...names, ...place.owners] });
}

/** A new, whole, or changed Hook is a Hook. */
const changed =
  /^(?:New|Whole|Sent|Exported|Changed|Created|Updated|Restored|Imported|Published)(?=[A-Z])/;

/** Choices that aren't null come first. */
function listChoices({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] {
  const all = (anyOf ?? oneOf ?? []) as readonly JsonSchema[];
  return all.toSorted((one, other) => Number(one.type === "null") - Number(other.type === "null"));
}

function makeList({ items = {}, prefixItems }: JsonSchema, place: Place): unknown {
  const each = (prefixItems ?? [items]) as readonly JsonSchema[];
  return each.map((item) => makeExample(item, place));
}

function makeObject(schema: JsonSchema, place: Place): unknown {
  const properties = Object.entries((schema.properties ?? {}) as Shapes);
  // The name of an object is the owner of its fields: `example.deliveryId`.
  const owners = place.field === "" ? place.owners : [place.field, ...place.owners];
  const required = (schema.required ?? []) as readonly string[];
  const fields = properties
    .filter(([field]) => required.includes(field) || exampleOf(owners, field) !== null)
    .map(([field, each]) => [field, makeExample(each, { ...place, owners, field })]);
  return Object.fromEntries(fields);
}

const time = "2026-11-20T09:30:00.000Z";
const laterTime = "2026-12-20T09:30:00.000Z";

function makePlain(type: unknown, { format, minimum }: JsonSchema, { field }: Place): unknown {
  if (format === "date-time") return /^(?:expires|until|next|due)/.test(field) ? laterTime : time;
  if (type === "string") return field;
  if (type === "integer" || type === "number") return Math.max(Number(minimum ?? 0), 1);
  if (type === "boolean") return !/^is[A-Z]|late$|keyPair|ordered|fieldSearch/.test(field);
  return null;
}

/** True if a value of the table has the type of a field. A test checks what comes of it. */
function isOfType(value: unknown, schema: JsonSchema, shapes: Shapes): boolean {
  if (typeof schema.$ref === "string") return isOfType(value, wholeShape(schema, shapes), shapes);
  if ("const" in schema) return value === schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  const choices = listChoices(schema);
  if (choices.length > 0) return choices.some((choice) => isOfType(value, choice, shapes));
  const types = [schema.type].flat();
  return types.includes(undefined) || types.some((type) => hasType(value, String(type)));
}

function hasType(value: unknown, type: string): boolean {
  if (value === null || type === "null") return value === null && type === "null";
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && !Array.isArray(value);
  return typeof value === (type === "integer" ? "number" : type);
}

/**
 * The value of a field in the examples of the docs, by `Shape.field` or by the field alone. Undefined if the
 * table has no value that fits everywhere.
 */
function exampleOf(owners: readonly string[], field: string): unknown {
  const names = [...owners.map((owner) => `${owner}.${field}`), field];
  const name = names.find((each) => Object.hasOwn(values, each));
  if (name !== undefined) return values[name];
  return field === "id" ? idOf(owners) : undefined;
}

/** An object without a name of its own has another id than the shape around it. */
function idOf(owners: readonly string[]): string {
  const inner = owners.findIndex((owner) => !/^[A-Z]/.test(owner));
  const shapes = inner === -1 ? owners : owners.slice(0, inner);
  return shapes.map((owner) => ids[owner]).find((id) => id !== undefined) ?? table.otherId;
}
