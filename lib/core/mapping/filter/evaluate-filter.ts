import { RenderBudget } from "#lib/core/mapping/template/render-budget.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import { explainMismatch } from "./explain-mismatch.ts";
import type { FilterNames } from "./filter-context.ts";

export type FilterVerdict =
  | { readonly matches: true }
  /** The reason why the run was skipped, in one sentence for the action's owner. */
  | { readonly matches: false; readonly because: string };

type FilterOptions = {
  /** The time when the delivery was received. Dates such as `7 days ago` are relative to it. */
  readonly nowMs: number;
  readonly budget?: RenderBudget;
};

/**
 * Decides whether an action runs on a delivery. Text and booleans compare by value, and
 * numbers by exact value (1.10 equals 1.1). Text counts as the number or boolean that it says ("10.00") if it is
 * compared with one. `gt` and similar conditions compare other texts by code unit. Groups combine their
 * parts. A missing name only matches `notExists`, `notEquals`, and `noItem`; null counts as present. Throws a
 * `FilterFault` if a value has to be a date and can't be read as one.
 */
export function evaluateFilter(
  filter: ActionFilter | null,
  context: FilterNames,
  { nowMs, budget = new RenderBudget() }: FilterOptions,
): FilterVerdict {
  if (filter === null) return { matches: true };
  const because = explainMismatch(filter, { context, nowMs, budget });
  return because === null ? { matches: true } : { matches: false, because };
}
