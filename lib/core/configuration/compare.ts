import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { isJsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";

/** Something of a configuration, as a file has it. */
export type ConfiguredItem = {
  readonly kind: string;
  /** Stays the same when it is renamed. */
  readonly id: string;
  /** In words, such as `hook "Orders"`. */
  readonly what: string;
  readonly shown: JsonValue;
  /** Its secrets in plain text. They are compared, and never shown. */
  readonly secrets: JsonValue;
};

type Change = {
  /** Such as `request.url`. */
  readonly path: string;
  /** JSON. Null: it wasn't there, or is secret. */
  readonly from: string | null;
  readonly to: string | null;
  readonly isSecret: boolean;
};

export type ItemDifference = {
  readonly op: "add" | "change" | "delete";
  readonly kind: string;
  readonly what: string;
  readonly changes: readonly Change[];
};

export type Difference = {
  readonly items: readonly ItemDifference[];
  /** Ids of what is the same, by kind. */
  readonly same: ReadonlySet<string>;
  /** Everything that is compared, whole and with secrets. Only its checksum may leave. */
  readonly evidence: readonly unknown[];
};

export const itemKey = ({ kind, id }: Pick<ConfiguredItem, "kind" | "id">) => `${kind} ${id}`;

/** What was added, changed, and deleted between two states of an account. */
export function compareItems(
  before: readonly ConfiguredItem[],
  after: readonly ConfiguredItem[],
): Difference {
  const former = new Map(before.map((item) => [itemKey(item), item]));
  const items: ItemDifference[] = [];
  const evidence: unknown[] = [];
  const same = new Set<string>();
  for (const item of after) {
    const key = itemKey(item);
    const known = former.get(key);
    former.delete(key);
    const { kind, what } = item;
    if (known === undefined) {
      items.push({ op: "add", kind, what, changes: [] });
      evidence.push(["add", kind, what]);
      continue;
    }
    const { changes, values } = compareItem(known, item);
    if (changes.length === 0) same.add(key);
    else {
      items.push({ op: "change", kind, what: known.what, changes });
      evidence.push(["change", key, values]);
    }
  }
  for (const [key, { kind, what, shown, secrets }] of former) {
    items.push({ op: "delete", kind, what, changes: [] });
    evidence.push(["delete", key, toText(shown), toText(secrets)]);
  }
  return { items, same, evidence };
}

function compareItem(before: ConfiguredItem, after: ConfiguredItem) {
  const shown = listDifferentLeaves(before.shown, after.shown);
  const paths = new Set(shown.map(({ path }) => path));
  const secret = listDifferentLeaves(before.secrets, after.secrets).filter(
    ({ path }) => !paths.has(path),
  );
  const changes: Change[] = [
    ...shown.map(({ path, from, to }) => ({ path, from: cut(from), to: cut(to), isSecret: false })),
    ...secret.map(({ path }) => ({ path, from: null, to: null, isSecret: true })),
  ];
  return { changes, values: [...shown, ...secret] };
}

type Leaf = { readonly path: string; readonly from: string | null; readonly to: string | null };

/** The paths whose values differ, with both as JSON. */
function listDifferentLeaves(before: JsonValue, after: JsonValue): Leaf[] {
  const found: Leaf[] = [];
  collect(found, "", before, after);
  return found;
}

type Value = JsonValue | undefined;

function collect(found: Leaf[], path: string, before: Value, after: Value): void {
  const [from, to] = [toText(before), toText(after)];
  if (from === to) return;
  const [left, right] = [childrenOf(before), childrenOf(after)];
  // What appears or disappears is shown as a whole.
  if (left === null || right === null || Array.isArray(before) !== Array.isArray(after)) {
    found.push({ path, from, to });
    return;
  }
  for (const name of new Set([...left.keys(), ...right.keys()]))
    collect(found, path === "" ? name : `${path}.${name}`, left.get(name), right.get(name));
}

function childrenOf(value: Value): ReadonlyMap<string, JsonValue> | null {
  if (Array.isArray(value)) return new Map(value.map((each, index) => [String(index), each]));
  return value !== undefined && isJsonObject(value) ? new Map(Object.entries(value)) : null;
}

function toText(value: Value): string | null {
  if (value === undefined) return null;
  const written = stringifyExactJson(value);
  // Only in what is larger than any configuration.
  return written.ok ? written.text : JSON.stringify(value);
}

const maxChars = 1_000;

function cut(text: string | null): string | null {
  if (text === null || text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)}… (${text.length} characters)`;
}
