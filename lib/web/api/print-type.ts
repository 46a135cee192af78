/** The part of JSON Schema that the OpenAPI document uses. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
};

const maxColumns = 90;

/** The input of callers, or the output for them. */
type Role = "input" | "output";

/** A schema as a TypeScript type. What TypeScript can't say, such as a pattern, is left out. */
export function printType(schema: Schema, as: Role): string {
  const all = [...new Set(listTypes(schema, as))];
  if (all.includes("unknown")) return "unknown";
  const text = all.join(" | ") || "never";
  return all.length > 1 && text.length > maxColumns
    ? all.map((type) => `\n  | ${type.replaceAll("\n", "\n    ")}`).join("")
    : text;
}

/** The types of which a value has one. */
function listTypes(schema: Schema, as: Role): readonly string[] {
  const { $ref, enum: values, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return [$ref.slice($ref.lastIndexOf("/") + 1)];
  if ("const" in schema) return [JSON.stringify(schema.const)];
  if (values !== undefined) return values.map((value) => JSON.stringify(value));
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return choices.flatMap((choice) => listTypes(choice, as));
  if (allOf !== undefined) return [allOf.map((part) => printPart(part, as)).join(" & ")];
  if (typeof type === "object")
    return type.flatMap((each) => listTypes({ ...schema, type: each }, as));
  if (type === "array") return [printList(schema, as)];
  return [type === "object" ? printObject(schema, as) : printPlain(type)];
}

/** A part of an intersection. */
function printPart(part: Schema, as: Role): string {
  const type = printType(part, as);
  return /^\w+$|^\{/.test(type) ? type : `(${type})`;
}

/** `separator`, and the type after it, in its own lines if it has several. */
export function printAfter(separator: string, type: string): string {
  return type.startsWith("\n") ? `${separator}${type}` : `${separator} ${type}`;
}

function printPlain(type: string | undefined): string {
  if (type === "integer" || type === "number") return "number";
  return type === "string" || type === "boolean" || type === "null" ? type : "unknown";
}

function printList({ items = {}, prefixItems }: Schema, as: Role): string {
  const readonly = as === "input" ? "readonly " : "";
  if (prefixItems === undefined) return `${readonly}(${printType(items, as)})[]`;
  return `${readonly}[${prefixItems.map((item) => printType(item, as)).join(", ")}]`;
}

function printObject({ properties = {}, required = [], additionalProperties }: Schema, as: Role) {
  const fields = Object.entries(properties).map(([name, schema]) =>
    printField(name, schema, { isRequired: required.includes(name), as }),
  );
  const others =
    typeof additionalProperties === "object" ? printType(additionalProperties, as) : "unknown";
  const isOpen = typeof additionalProperties === "object" || fields.length === 0;
  // Named fields need not have the type of the others.
  if (isOpen) fields.push(`[name: string]: ${fields.length === 0 ? others : "unknown"};`);
  return block(fields);
}

/** Braces around lines, indented. */
export function block(lines: readonly string[]): string {
  return `{\n${lines.join("\n")}`.replaceAll("\n", "\n  ").concat("\n}");
}

/** A field of an object type, with what the document says about it. */
export function printField(
  name: string,
  schema: Schema,
  { isRequired, as }: { readonly isRequired: boolean; readonly as: Role },
): string {
  const comment = schema.description === undefined ? "" : `${printComment(schema.description)}\n`;
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  // Callers may write `undefined` for a field that they leave out.
  const absent = !isRequired && as === "input" ? " | undefined" : "";
  return `${comment}${key}${isRequired ? "" : "?"}${printAfter(":", printType(schema, as))}${absent};`;
}

/** A doc comment, with its lines broken. */
export function printComment(text: string): string {
  if (text.length <= maxColumns) return `/** ${text} */`;
  const lines = text.match(/.{1,90}(?:\s+|$)/g) ?? [text];
  return `/**\n${lines.map((line) => ` * ${line.trim()}\n`).join("")} */`;
}
