import { type JsonSchema, wholeShape } from "#lib/web/api/shared-shapes.ts";
import type { Shapes } from "./api-document.ts";
import { describeType } from "./describe-type.ts";

export type Field = {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** JSON, or null: it has no default. */
  readonly preset: string | null;
  /** Markdown. */
  readonly text: string;
  /** The fields of an object, or of each item of a list. Those of a union have the choice in front. */
  readonly fields: readonly Field[];
};

/** A page's text about a field by its name, and the name of the object that it is in. */
export type FieldTexts = (name: string, within: string | null) => string;

type Options = {
  readonly shapes: Shapes;
  readonly texts: FieldTexts;
  /** How many levels of objects to open. */
  readonly levels: number;
  readonly within?: string;
};

/** The fields of an object, a list of objects, or a union of objects. */
export function listFields(schema: JsonSchema, options: Options): readonly Field[] {
  const { shapes } = options;
  const whole = wholeShape(schema, shapes);
  const choices = (whole.anyOf ?? whole.oneOf) as readonly JsonSchema[] | undefined;
  if (choices !== undefined) return mergeChoices(choices, options);
  if (whole.type === "array") return listFields((whole.items ?? {}) as JsonSchema, options);
  const required = (whole.required ?? []) as readonly string[];
  return Object.entries((whole.properties ?? {}) as Shapes).map(([name, each]) =>
    toField(name, each, required.includes(name), options),
  );
}

export function toField(
  name: string,
  schema: JsonSchema,
  isRequired: boolean,
  { shapes, texts, levels, within }: Options,
): Field {
  const { default: preset } = schema;
  const own = String(schema.description ?? wholeShape(schema, shapes).description ?? "");
  return {
    name,
    type: describeType(schema, shapes),
    isRequired,
    preset: preset === undefined || preset === null ? null : JSON.stringify(preset),
    text: own === "" ? texts(name, within ?? null) : own,
    fields:
      levels > 1 ? listFields(schema, { shapes, texts, levels: levels - 1, within: name }) : [],
  };
}

/** The fields of all choices. One that not every choice has isn't required. */
function mergeChoices(choices: readonly JsonSchema[], options: Options): readonly Field[] {
  const all = choices
    .filter(({ type }) => type !== "null")
    .map((choice) => listFields(choice, options))
    .filter((fields) => fields.length > 0);
  const names = [...new Set(all.flatMap((fields) => fields.map(({ name }) => name)))];
  return names.flatMap((name) => {
    const found = all.flatMap((fields) => fields.filter((field) => field.name === name));
    const [first] = found;
    if (first === undefined) return [];
    const type = [...new Set(found.map((field) => field.type))].join(" | ");
    const isRequired = found.length === all.length && found.every((field) => field.isRequired);
    return [{ ...first, type, isRequired }];
  });
}
