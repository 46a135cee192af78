import type { MappingContext } from "#lib/core/template/mapping-context.ts";
import type { ActionRequestTemplate, RequestAuth } from "#lib/schema/action.ts";

export type BuildRequestInput = {
  readonly request: ActionRequestTemplate;
  readonly auth: RequestAuth | null;
  readonly context: MappingContext;
  /** The run's id, the same on every attempt; sent as `Idempotency-Key`. */
  readonly runId: string;
  /** Of Catchment, for `User-Agent`. */
  readonly version: string;
  /** What `now` means to the `date` filters. */
  readonly nowMs: number;
};
