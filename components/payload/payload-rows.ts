import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { maskText } from "#lib/schema/receive/mask-text.ts";

/** A value that the server cut for the page: see `lib/core/mapping/payload-tree/payload-tree.ts`. */
export type PayloadNodeView = {
  readonly key: string | number | null;
  /** The template name. Null if templates can't name it. */
  readonly path: string | null;
  readonly kind: "object" | "list" | "text" | "number" | "boolean" | "null";
  readonly text: string;
  readonly size: number;
  readonly isCut: boolean;
  readonly children: readonly PayloadNodeView[];
};

/** One row of the tree. `more` represents the omitted entries. */
export type TreeRow = {
  readonly kind: "branch" | "leaf" | "more";
  readonly node: PayloadNodeView;
  /** The path by index, as in "0.2.1". */
  readonly id: string;
  readonly parentId: string | null;
  /** Starts at 1. */
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  readonly isOpen: boolean;
};

/** The visible rows for these open branches. `shown` limits them to search results. */
export function listRows(
  root: PayloadNodeView,
  open: ReadonlySet<string>,
  shown: ReadonlySet<string> | null = null,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const walk = (parent: PayloadNodeView, parentId: string | null, level: number): void => {
    const children = parent.children
      .map((node, index) => ({ node, id: childId(parentId, index) }))
      .filter(({ id }) => shown === null || shown.has(id));
    const hasMore = parent.isCut && shown === null;
    const setSize = children.length + Number(hasMore);
    for (const [index, { node, id }] of children.entries()) {
      const isBranch = node.children.length > 0;
      const isOpen = isBranch && open.has(id);
      const kind = isBranch ? "branch" : "leaf";
      rows.push({ kind, node, id, parentId, level, position: index + 1, setSize, isOpen });
      if (isOpen) walk(node, id, level + 1);
    }
    if (!hasMore) return;
    const id = childId(parentId, parent.children.length);
    rows.push({
      kind: "more",
      node: parent,
      id,
      parentId,
      level,
      position: setSize,
      setSize,
      isOpen: false,
    });
  };
  walk(root, null, 1);
  return rows;
}

function childId(parentId: string | null, index: number): string {
  return parentId === null ? String(index) : `${parentId}.${index}`;
}

const maxOpenRows = 80;

/**
 * Chooses the branches that are open at first: level by level, as long as it fits a screen or two.
 */
export function chooseOpen(root: PayloadNodeView): ReadonlySet<string> {
  const open = new Set<string>();
  let rows = root.children.length;
  const waiting = root.children.map((node, index) => ({ node, id: childId(null, index) }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { node, id } = next;
    if (node.children.length === 0) continue;
    rows += node.children.length;
    if (rows > maxOpenRows) return open;
    open.add(id);
    waiting.push(...node.children.map((child, index) => ({ node: child, id: childId(id, index) })));
  }
  return open;
}

/** Every branch, for "Expand all". */
export function listBranches(root: PayloadNodeView): ReadonlySet<string> {
  return new Set(walkNodes(root).flatMap(({ node, id }) => (node.children.length > 0 ? [id] : [])));
}

type TreeSearch = {
  readonly hits: ReadonlySet<string>;
  /** The matches and their parent branches. */
  readonly shown: ReadonlySet<string>;
};

/** The rows whose name, value, or path contains the text, in any case. Null for no text. */
export function searchTree(root: PayloadNodeView, query: string): TreeSearch | null {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return null;
  const hits = new Set<string>();
  const shown = new Set<string>();
  for (const { node, id } of walkNodes(root)) {
    if (
      ![String(node.key), node.text, node.path ?? ""].some((text) =>
        text.toLowerCase().includes(wanted),
      )
    )
      continue;
    hits.add(id);
    for (let at = id; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) shown.add(at);
  }
  return { hits, shown };
}

export function walkNodes(root: PayloadNodeView): readonly { node: PayloadNodeView; id: string }[] {
  const found: { node: PayloadNodeView; id: string }[] = [];
  const walk = (parent: PayloadNodeView, parentId: string | null): void => {
    for (const [index, node] of parent.children.entries()) {
      const id = childId(parentId, index);
      found.push({ node, id });
      walk(node, id);
    }
  };
  walk(root, null);
  return found;
}

/** A value on one line. */
export function valueText({ kind, text, size, isCut, children }: PayloadNodeView): string {
  if (text === maskText) return text;
  const notShown = isCut && children.length === 0 ? ", not shown here" : "";
  if (kind === "object") return size === 0 ? "{}" : `{${describeCount(size, "field")}${notShown}}`;
  if (kind === "list") return size === 0 ? "[]" : `[${describeCount(size, "item")}${notShown}]`;
  if (kind !== "text") return isCut ? `${text}…` : text;
  return isCut
    ? `"${safeText(text)}…" (${size.toLocaleString("en")} characters)`
    : `"${safeText(text)}"`;
}

/** The row to which a key moves the focus, as in the ARIA tree pattern. Null: no move. */
export function stepInTree(
  rows: readonly TreeRow[],
  activeId: string,
  key: string,
): TreeStep | null {
  const at = rows.findIndex(({ id }) => id === activeId);
  const row = rows[at];
  if (row === undefined) return null;
  const to = (next: TreeRow | undefined): TreeStep | null =>
    next === undefined ? null : { kind: "focus", id: next.id };
  switch (key) {
    case "ArrowDown":
      return to(rows[at + 1]);
    case "ArrowUp":
      return to(rows[at - 1]);
    case "Home":
      return to(rows[0]);
    case "End":
      return to(rows.at(-1));
    case "ArrowRight":
      if (row.kind !== "branch") return null;
      return row.isOpen ? to(rows[at + 1]) : { kind: "toggle", id: row.id };
    case "ArrowLeft":
      if (row.isOpen) return { kind: "toggle", id: row.id };
      return row.parentId === null ? null : { kind: "focus", id: row.parentId };
    default:
      return key.length === 1 && key !== " " ? to(findByLetter(rows, at, key)) : null;
  }
}

type TreeStep = { readonly kind: "focus" | "toggle"; readonly id: string };

/** The next row whose name starts with that letter, wrapping at the end. */
function findByLetter(rows: readonly TreeRow[], at: number, letter: string): TreeRow | undefined {
  const wanted = letter.toLowerCase();
  return [...rows.slice(at + 1), ...rows.slice(0, at)].find(
    ({ kind, node }) => kind !== "more" && String(node.key).toLowerCase().startsWith(wanted),
  );
}

/** The value as JSON to copy. Null if parts of it aren't loaded. Plain text has no quotes. */
export function copyText(node: PayloadNodeView): string | null {
  if (node.kind === "text") return node.isCut ? null : node.text;
  return writeNode(node, "");
}

function writeNode(node: PayloadNodeView, indent: string): string | null {
  const { kind, text, isCut, children } = node;
  if (isCut) return null;
  if (kind === "text") return JSON.stringify(text);
  if (kind !== "object" && kind !== "list") return text;
  const [open, close] = kind === "list" ? "[]" : "{}";
  const inner = `${indent}  `;
  const lines: string[] = [];
  for (const child of children) {
    const value = writeNode(child, inner);
    if (value === null) return null;
    lines.push(
      kind === "list" ? `${inner}${value}` : `${inner}${JSON.stringify(child.key)}: ${value}`,
    );
  }
  return lines.length === 0
    ? `${open}${close}`
    : `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}
