export type JsonSchema = Readonly<Record<string, unknown>>;
type Shapes = Readonly<Record<string, JsonSchema>>;
type ObjectShape = {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
};

const prefix = "#/components/schemas/";

/** The fewest fields for which naming another shape is shorter than repeating them. */
const minShared = 4;

/** A shape that has every field of another one is the other one and more: a changed hook is a hook. */
export function shareBases(shapes: Shapes): Shapes {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, toExtension(shape, shapes)]),
  );
}

function toExtension(shape: JsonSchema, shapes: Shapes): JsonSchema {
  const own = readObject(shape);
  if (own === null) return shape;
  const bases = Object.entries(shapes).flatMap(([name, other]) => {
    const base = readObject(other);
    return base !== null && isBase(base, own) ? [{ name, base }] : [];
  });
  const [largest] = bases.toSorted((one, other) => countFields(other.base) - countFields(one.base));
  if (largest === undefined) return shape;
  const { name, base } = largest;
  const isOwn = (field: string) => !Object.hasOwn(base.properties, field);
  const rest = {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(own.properties).filter(([field]) => isOwn(field)),
    ),
    required: own.required.filter(isOwn),
  };
  return { allOf: [{ $ref: `${prefix}${name}` }, rest] };
}

function isBase(base: ObjectShape, whole: ObjectShape): boolean {
  const count = countFields(base);
  return (
    count >= minShared &&
    count < countFields(whole) &&
    base.required.every((field) => whole.required.includes(field)) &&
    Object.entries(base.properties).every(
      ([field, schema]) =>
        JSON.stringify(schema) === JSON.stringify(whole.properties[field]) &&
        base.required.includes(field) === whole.required.includes(field),
    )
  );
}

function countFields({ properties }: ObjectShape): number {
  return Object.keys(properties).length;
}

/** Null for anything but an object with named fields, which may have others or not. */
function readObject({ type, properties, required = [], ...rest }: JsonSchema): ObjectShape | null {
  const isPlain = Object.keys(rest).length === 0;
  if (type !== "object" || properties === undefined || !isPlain) return null;
  return { properties, required } as ObjectShape;
}

/** A shape with the fields of those that it extends, and a named one as what it names. */
export function wholeShape(schema: JsonSchema, shapes: Shapes): JsonSchema {
  const { $ref, allOf, ...rest } = schema;
  if (typeof $ref === "string")
    return { ...wholeShape(shapes[shapeName($ref)] ?? {}, shapes), ...rest };
  if (!Array.isArray(allOf)) return schema;
  const parts = (allOf as readonly JsonSchema[]).map((part) => wholeShape(part, shapes));
  return {
    ...rest,
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => (required ?? []) as string[]),
  };
}

/** The name of the shape that a reference leads to. */
export function shapeName($ref: string): string {
  return $ref.slice(prefix.length);
}
