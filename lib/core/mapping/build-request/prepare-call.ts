import {
  type DeliveryView,
  readDeliveryContext,
} from "#lib/core/mapping/build-request/delivery-context.ts";
import { evaluateFilter, type FilterVerdict } from "#lib/core/mapping/filter/evaluate-filter.ts";
import { FilterFault } from "#lib/core/mapping/filter/filter-fault.ts";
import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import {
  type BudgetLimits,
  RenderBudget,
  TemplateFault,
} from "#lib/core/mapping/template/render-budget.ts";
import { addStepNames, type StepNames } from "#lib/core/mapping/template/step-context.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import { buildNeed } from "./build-need.ts";
import type { HookView } from "./hook-view.ts";
import type { Built, Need, NotBuilt } from "./need.ts";
import { type ResolvedTemplate, resolveTemplates } from "./resolve-templates.ts";

export type PrepareInput<N extends Need = Need> = {
  readonly delivery: DeliveryView;
  readonly hook: HookView;
  readonly filter: ActionFilter | null;
  readonly need: N;
  /** The results that a step can read. */
  readonly names?: StepNames;
  readonly nowMs: number;
  /** A preview shows the result even if the filter doesn't match. */
  readonly builds: "always" | "when_matched";
};

export type Prepared<N extends Need = Need> = {
  readonly verdict: FilterVerdict;
  /** Null: the filter doesn't match. */
  readonly built: Built<N> | NotBuilt | null;
  /** The rendered value of each template of a request, for a preview. */
  readonly resolved: readonly ResolvedTemplate[];
};

export type PrepareOptions = {
  /** Called once the body is read. From then on, time is spent on templates. */
  readonly onRead?: () => void;
  /** Replaces `readDeliveryContext`, for a caller that has read the delivery before. */
  readonly readContext?: typeof readDeliveryContext;
  /** Replaces a request's default limits. */
  readonly limits?: BudgetLimits;
};

/**
 * Makes a request, value, or reply from a delivery. The worker and every preview call it, so the
 * preview is what is sent.
 *
 * @returns null if `limits` were too low: the full limits may give a result
 */
export async function prepareCall<N extends Need>(
  input: PrepareInput<N>,
  { onRead, limits, readContext = readDeliveryContext }: PrepareOptions = {},
): Promise<Prepared<N> | null> {
  const received = await readContext(input.delivery, input.hook);
  const context = input.names === undefined ? received : addStepNames(received, input.names);
  onRead?.();
  const budgets = {
    filter: new RenderBudget(limits),
    request: new RenderBudget(limits),
    resolved: new RenderBudget(limits),
  };
  const prepared = prepare(input, context, budgets);
  const isSpent = Object.values(budgets).some((budget) => budget.isSpent);
  return limits !== undefined && isSpent ? null : (prepared as Prepared<N>);
}

type Budgets = Readonly<Record<"filter" | "request" | "resolved", RenderBudget>>;

function prepare(input: PrepareInput, context: MappingContext, budgets: Budgets): Prepared {
  const verdict = tryFilter(input, context, budgets.filter);
  if ("fault" in verdict) {
    const errors = [{ at: "filter", message: verdict.fault }];
    const built = { ok: false, code: "mapping_failed", errors } as const;
    return { verdict: { matches: true }, built, resolved: [] };
  }
  const { need, nowMs, builds } = input;
  if (builds === "when_matched" && !verdict.matches) return { verdict, built: null, resolved: [] };
  return {
    verdict,
    built: buildNeed(need, { context, nowMs, budget: budgets.request }),
    resolved:
      builds === "always" && need.kind === "request"
        ? resolveTemplates(need.request, { context, nowMs, budget: budgets.resolved })
        : [],
  };
}

function tryFilter(
  { filter, delivery }: PrepareInput,
  context: MappingContext,
  budget: RenderBudget,
): FilterVerdict | { readonly fault: string } {
  try {
    return evaluateFilter(filter, context, { nowMs: delivery.receivedAtMs, budget });
  } catch (error) {
    if (error instanceof FilterFault) return { fault: error.message };
    if (error instanceof TemplateFault)
      return { fault: "the filter compares too much text, or lists that are too long" };
    throw error;
  }
}
