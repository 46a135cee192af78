import { buildPayloadTree, type PayloadNode } from "#lib/core/mapping/payload-tree/payload-tree.ts";
import { TextBudget } from "#lib/core/mapping/payload-tree/text-budget.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** The result of a step as the editor shows it. Templates read it as `steps.<key>`. */
export type ShownResult = { readonly key: string; readonly tree: PayloadNode };

/** The limit in bytes of the page, for all results of a run together. */
const maxBytes = 120_000;

/** `results` by key. The first ones have more room if there is too much for a page. */
export function showResults(results: Readonly<Record<string, JsonValue>>): readonly ShownResult[] {
  const budget = new TextBudget(maxBytes);
  return Object.entries(results).map(([key, value]) => showResult(key, value, budget));
}

export function showResult(
  key: string,
  value: JsonValue,
  budget: TextBudget = new TextBudget(maxBytes),
): ShownResult {
  return { key, tree: { ...buildPayloadTree(value, budget, `steps.${key}`), key } };
}
