import { foldHeaderNames, readValueAt } from "#lib/core/mapping/json/read-value.ts";
import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import type { RenderBudget } from "#lib/core/mapping/template/render-budget.ts";
import { readSteps } from "#lib/schema/field/value-path.ts";

/** The names of a delivery, or those of a receiver's response. */
export type FilterNames = Pick<MappingContext, "readName">;

/** Everything that a filter is evaluated on. */
export type FilterContext = {
  readonly context: FilterNames;
  /**
   * The time when the delivery was received. Relative dates start there, so retries decide the
   * same.
   */
  readonly nowMs: number;
  /**
   * Counts the characters, digits, and list items that are compared. Throws a `TemplateFault` if
   * there are too many.
   */
  readonly budget: RenderBudget;
  /** The current item, in a condition on the items of a list. */
  readonly item?: FilterItem;
};

type FilterItem = {
  readonly value: unknown;
  /** The path of the item, such as `data.items[0]`. */
  readonly path: string;
};

export function readValue(path: string, { context, item }: FilterContext): unknown {
  const [root = "", ...keys] = foldHeaderNames(readSteps(path));
  const start = item === undefined ? context.readName(root) : item.value;
  return readValueAt(start, keys);
}

/** The path from the delivery: `data.items[0].price` instead of `item.price`. */
export function fullPath(path: string, { item }: FilterContext): string {
  return item === undefined ? path : item.path + path.slice("item".length);
}

export function contextOfItem(
  context: FilterContext,
  listPath: string,
  { value, index }: { readonly value: unknown; readonly index: number },
): FilterContext {
  return { ...context, item: { value, path: `${fullPath(listPath, context)}[${index}]` } };
}
