import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { isScalar, type Scalar } from "./scalar.ts";

/** The request that the other system expects. */
export type ExampleRequest = {
  readonly url: string | null;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body:
    | { readonly kind: "json"; readonly value: JsonValue }
    | {
        readonly kind: "form";
        readonly fields: readonly (readonly [name: string, value: string])[];
      }
    | { readonly kind: "none" };
};

/** One value of an example request. */
export type ExampleField = {
  /** The path as shown. It is unique: `body.contact.email`, `query.id`, `url`. */
  readonly path: string;
  readonly names: readonly string[];
  readonly value: Scalar;
  /** True in a JSON body. Elsewhere everything is text. */
  readonly isTyped: boolean;
};

export function formPath(name: string): string {
  return `body.${name}`;
}

export function queryPath(name: string): string {
  return `query.${name}`;
}

/** The path of a value inside a JSON body. */
export function childPath(path: string, key: string | number): string {
  return typeof key === "number" ? `${path}[${key}]` : `${path}.${key}`;
}

/** The fields outside of a JSON body. */
export function listFlatFields({ url, query, body }: ExampleRequest): readonly ExampleField[] {
  const flat = (path: string, name: string, value: string): ExampleField => ({
    path,
    names: name.split(/[[\].]+/).filter((part) => part !== "" && !/^\d+$/.test(part)),
    value,
    isTyped: false,
  });
  return [
    ...(url === null ? [] : [flat("url", "url", url)]),
    ...query.map(([name, value]) => flat(queryPath(name), name, value)),
    ...(body.kind === "form"
      ? body.fields.map(([name, value]) => flat(formPath(name), name, value))
      : []),
  ];
}

/** Every value below a node, or the node itself if it is a value. */
export function listFields(
  path: string,
  names: readonly string[],
  value: JsonValue,
): readonly ExampleField[] {
  if (isScalar(value)) return [{ path, names, value, isTyped: true }];
  const entries = Array.isArray(value)
    ? value.map((item: JsonValue, index) => [index, item] as const)
    : Object.entries(value as Record<string, JsonValue>);
  return entries.flatMap(([key, item]) =>
    listFields(childPath(path, key), typeof key === "string" ? [...names, key] : names, item),
  );
}
