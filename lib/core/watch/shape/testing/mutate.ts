/** Three ways in which a provider's event changes. Each returns a copy. */
type Mutation = (payload: unknown, path: readonly string[]) => unknown;

export const mutations: Readonly<Record<"drop" | "rename" | "retype", Mutation>> = {
  drop: (payload, path) => changeField(payload, path, () => []),
  rename: (payload, path) =>
    changeField(payload, path, (key, value) => [[`${key}_v2`, value] as const]),
  retype: (payload, path) =>
    changeField(payload, path, (key, value) => [[key, toOtherType(value)] as const]),
};

type Change = (key: string, value: unknown) => readonly (readonly [string, unknown])[];

function changeField(value: unknown, path: readonly string[], change: Change): unknown {
  const [first, ...rest] = path;
  if (Array.isArray(value)) return value.map((item) => changeField(item, path, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      if (key !== first) return [[key, each] as const];
      return rest.length === 0 ? change(key, each) : [[key, changeField(each, rest, change)]];
    }),
  );
}

function toOtherType(value: unknown): unknown {
  if (typeof value === "string") return { value };
  return typeof value === "object" ? "changed" : `${value}`;
}

/** The paths of all fields, through lists. Null values have no type to change. */
export function listFieldPaths(payload: unknown): readonly (readonly string[])[] {
  if (Array.isArray(payload)) return payload.flatMap(listFieldPaths);
  if (typeof payload !== "object" || payload === null) return [];
  return Object.entries(payload).flatMap(([key, value]) => {
    const inner = listFieldPaths(value).map((path) => [key, ...path]);
    return value === null ? [] : [[key], ...inner];
  });
}
