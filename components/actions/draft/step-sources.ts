import { type PayloadNodeView, walkNodes } from "#components/payload/payload-rows.ts";
import type { ForEachDraft } from "./step-draft.ts";
import type { StepResultView } from "./step-views.ts";

/**
 * The names that a step can use: the results of earlier steps and, with `forEach`, its item, before
 * the names of the delivery.
 */
export function addStepSources(
  tree: PayloadNodeView,
  results: readonly StepResultView[],
  forEach: ForEachDraft | null,
): PayloadNodeView {
  const steps =
    results.length === 0
      ? []
      : [
          toBranch(
            "steps",
            results.map((one) => one.tree),
          ),
        ];
  const all = { ...tree, children: [...steps, ...tree.children] };
  const item = forEach === null ? [] : listItem(all, forEach.path.trim());
  const children = [...item, ...all.children];
  return { ...all, size: children.length, children };
}

/** The first item of the list, as `item`. */
function listItem(tree: PayloadNodeView, path: string): readonly PayloadNodeView[] {
  const list = walkNodes(tree).find(({ node }) => node.path === path)?.node;
  const first = list?.kind === "list" ? list.children[0] : undefined;
  if (first === undefined || first.path === null) return [];
  return [{ ...replacePath(first, first.path, "item"), key: "item" }];
}

/** Renames a result to the current key of its step. */
export function renameResult({ key, tree }: StepResultView, to: string): StepResultView {
  if (key === to) return { key, tree };
  return { key: to, tree: { ...replacePath(tree, `steps.${key}`, `steps.${to}`), key: to } };
}

function replacePath(node: PayloadNodeView, from: string, to: string): PayloadNodeView {
  const { path } = node;
  return {
    ...node,
    path: path?.startsWith(from) === true ? `${to}${path.slice(from.length)}` : path,
    children: node.children.map((child) => replacePath(child, from, to)),
  };
}

function toBranch(name: string, children: readonly PayloadNodeView[]): PayloadNodeView {
  return {
    key: name,
    path: name,
    kind: "object",
    text: "",
    size: children.length,
    isCut: false,
    children,
  };
}

/** A short description of a step's result: "HTTP 200", "failed". */
export function describeResult({ tree }: StepResultView): string {
  const status = tree.children.find(({ key }) => key === "status");
  if (status !== undefined && status.kind === "number") return `HTTP ${status.text}`;
  const error = tree.children.find(({ key }) => key === "error");
  return error !== undefined && error.kind !== "null" ? "failed" : "done";
}
