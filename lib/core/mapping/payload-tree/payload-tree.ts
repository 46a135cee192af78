import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { type PathStep, readSteps, writePath } from "#lib/schema/field/value-path.ts";
import type { TextBudget } from "./text-budget.ts";

/** A value of a payload as the page draws it. */
export type PayloadNode = {
  /** Null at the root. */
  readonly key: string | number | null;
  /** The template name. Null: it is too long. */
  readonly path: string | null;
  readonly kind: "object" | "list" | "text" | "number" | "boolean" | "null";
  /** The text of a leaf as written, with all digits. */
  readonly text: string;
  /** The number of entries of an object or list, or characters of a text. */
  readonly size: number;
  /** The end of the text, or some of the entries, are left out. */
  readonly isCut: boolean;
  readonly children: readonly PayloadNode[];
};

/**
 * A payload cut to what a page can hold. It works level by level, so that one long list doesn't use
 * up the room of its neighbors. The depth is limited because the page nests what it draws.
 * `rootName` is the template name of the value.
 */
export function buildPayloadTree(
  value: unknown,
  budget: TextBudget,
  rootName = "payload",
): PayloadNode {
  const root = toNode({ key: null, value, keys: [], rootName }, budget);
  const waiting: Waiting[] = [{ node: root, value, keys: [] }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { node, keys } = next;
    const entries = listEntries(next.value);
    if (keys.length >= maxLevels && entries.length > 0) {
      node.isCut = true;
      continue;
    }
    for (const [key, child] of entries.slice(0, maxEntries)) {
      if (!budget.spend(nodeCost)) break;
      const childKeys = [...keys, key];
      const childNode = toNode({ key, value: child, keys: childKeys, rootName }, budget);
      node.children.push(childNode);
      if (isContainer(child)) waiting.push({ node: childNode, value: child, keys: childKeys });
    }
    node.isCut = node.children.length < entries.length;
  }
  return root;
}

export function isCutSomewhere({ isCut, children }: PayloadNode): boolean {
  return isCut || children.some(isCutSomewhere);
}

type Growing = { -readonly [Field in keyof PayloadNode]: PayloadNode[Field] } & {
  children: Growing[];
};
type Waiting = {
  readonly node: Growing;
  readonly value: unknown;
  readonly keys: readonly (string | number)[];
};

const maxLevels = 64;
const maxEntries = 200;
const maxChars = 2_000;
/** The cost of a node in bytes, without its key and text. */
const nodeCost = 160;

type Place = {
  readonly key: string | number | null;
  readonly value: unknown;
  readonly keys: readonly (string | number)[];
  readonly rootName: string;
};

function toNode({ key, value, keys, rootName }: Place, budget: TextBudget): Growing {
  const path = toTemplatePath(keys, rootName);
  const isPathShort = path.length <= 500;
  const shared = {
    key: typeof key === "string" ? budget.take(key, 200).text : key,
    path: isPathShort ? budget.take(path).text : null,
    children: [],
  };
  if (Array.isArray(value))
    return { ...shared, kind: "list", text: "", size: value.length, isCut: false };
  if (isContainer(value)) {
    return { ...shared, kind: "object", text: "", size: Object.keys(value).length, isCut: false };
  }
  const { text, isCut } = budget.take(String(value), maxChars);
  return { ...shared, kind: kindOf(value), text, size: String(value).length, isCut };
}

function kindOf(value: unknown): "text" | "number" | "boolean" | "null" {
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  return value === null ? "null" : "number";
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof ExactNumber);
}

function listEntries(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value))
    return value.slice(0, maxEntries + 1).map((item, index) => [index, item]);
  return isContainer(value) ? Object.entries(value) : [];
}

/**
 * The name of a value in the payload or another root, as templates and filters read it: `data.object.email`,
 * `payload.items[0].id`, `payload["x y"]`.
 */
export function toTemplatePath(keys: readonly PathStep[], root = "payload"): string {
  const [first] = keys;
  const isShort = root === "payload" && typeof first === "string" && shortNames.has(first);
  return writePath(isShort ? keys : [...readSteps(root), ...keys]);
}

/** Names in templates that need no `payload.` prefix. */
const shortNames: ReadonlySet<string> = new Set(["id", "type", "data"]);
