/** Where a hook finds the id or the type of an event, as the form holds it. */
export type SourceRow = { readonly from: "body" | "header" | "content"; readonly name: string };
export type SourceRule = { readonly mode: "default" | "own" | "none"; readonly rows: readonly SourceRow[] };

type Source =
  | { readonly from: "body"; readonly path: string }
  | { readonly from: "header"; readonly name: string }
  | { readonly from: "content" };
export type StoredRule = Source | readonly Source[] | null;

/** `usual` is what the sender's events call for; a rule that says the same follows it. */
export function toSourceRule(stored: StoredRule, usual: StoredRule): SourceRule {
  const rows = toRows(stored ?? usual);
  const shown = rows.length === 0 ? [{ from: "body" as const, name: "" }] : rows;
  if (sameRule(stored, usual)) return { mode: "default", rows: shown };
  return { mode: stored === null ? "none" : "own", rows: shown };
}

/** As the API takes it. */
export function toStoredRule({ mode, rows }: SourceRule, usual: StoredRule): StoredRule {
  if (mode === "default") return usual;
  if (mode === "none") return null;
  const sources = rows.map(toSource);
  const [first] = sources;
  return sources.length === 1 && first !== undefined ? first : sources;
}

function toSource({ from, name }: SourceRow): Source {
  switch (from) {
    case "body":
      return { from, path: name.trim() };
    case "header":
      return { from, name: name.trim() };
    case "content":
      return { from };
    default:
      return from satisfies never;
  }
}

function toRows(rule: StoredRule): readonly SourceRow[] {
  return listOf(rule).map((source) => ({
    from: source.from,
    name: source.from === "body" ? source.path : source.from === "header" ? source.name : "",
  }));
}

function listOf(rule: StoredRule): readonly Source[] {
  if (rule === null) return [];
  return isList(rule) ? rule : [rule];
}

function isList(rule: Source | readonly Source[]): rule is readonly Source[] {
  return Array.isArray(rule);
}

function sameRule(one: StoredRule, other: StoredRule): boolean {
  return JSON.stringify(toRows(one)) === JSON.stringify(toRows(other));
}

/** "the field id of the body, else the header x-id". */
export function describeRule(rule: StoredRule): string {
  const parts = toRows(rule).map(describeRow);
  return parts.length === 0 ? "nothing" : parts.join(", else ");
}

export function describeRow({ from, name }: SourceRow): string {
  if (from === "content") return "a hash of the whole body";
  return from === "body" ? `the body’s field ${name}` : `the header ${name}`;
}
