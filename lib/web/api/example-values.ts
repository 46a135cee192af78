import table from "./example-values.json" with { type: "json" };

const values: Readonly<Record<string, unknown>> = table.values;
const ids: Readonly<Record<string, string>> = table.ids;

/**
 * The value of a field in the examples of the docs, by `Shape.field` or by the field alone. Undefined if the
 * table has no value that fits everywhere.
 */
export function exampleOf(owners: readonly string[], field: string): unknown {
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
