import type { MappingContext } from "#lib/core/template/mapping-context.ts";
import type { RenderBudget } from "#lib/core/template/render-budget.ts";
import type { ActionRequestTemplate } from "#lib/schema/action/action-request.ts";
import type { RequestAuth } from "#lib/schema/action/request-auth.ts";

export type BuildRequestInput = {
  readonly request: ActionRequestTemplate;
  readonly auth: RequestAuth | null;
  readonly context: MappingContext;
  /** The run's id, the same on every attempt; sent as `Idempotency-Key`. */
  readonly runId: string;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
  /** `now` for the `date` filters. */
  readonly nowMs: number;
  /** The budget of all templates together. Default: a request's maximum. */
  readonly budget?: RenderBudget;
};
