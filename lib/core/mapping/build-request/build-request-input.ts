import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import type { RenderBudget } from "#lib/core/mapping/template/render-budget.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";

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
