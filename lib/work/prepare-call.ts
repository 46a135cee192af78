import { buildRequest } from "#lib/core/build-request/build-request.ts";
import { readDeliveryContext } from "#lib/core/delivery-context.ts";
import { evaluateFilter } from "#lib/core/filter/evaluate-filter.ts";
import type { OutgoingRequest } from "#lib/core/http-types.ts";
import type { RunDelivery, RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { ActionConfig } from "./action-config.ts";

export type PrepareInput = {
  readonly runId: string;
  readonly target: RunTarget;
  readonly config: ActionConfig;
  readonly delivery: RunDelivery;
  readonly version: string;
  readonly nowMs: number;
};

export type PreparedCall =
  | { readonly kind: "call"; readonly request: OutgoingRequest }
  | { readonly kind: "skip"; readonly code: "filter_not_matched"; readonly message: string }
  /** Nothing that a retry would change. */
  | { readonly kind: "fail"; readonly code: string; readonly message: string };

/** Everything between a claimed run and its call. Depends on its input only. */
export async function prepareCall(input: PrepareInput): Promise<PreparedCall> {
  const { target, config, delivery } = input;
  const headers = readHeaders(delivery.headersJson);
  const context = await readDeliveryContext({ ...delivery, headers }, target.hook);
  const verdict = evaluateFilter(config.filter, context);
  if (!verdict.matches) return { kind: "skip", code: "filter_not_matched", message: verdict.because };
  const { runId, version, nowMs } = input;
  const built = buildRequest({ request: config.request, auth: config.auth, context, runId, version, nowMs });
  if (!built.ok)
    return fail(built.code, built.errors.map(({ at, message }) => `${at}: ${message}`).join("; "));
  return { kind: "call", request: built.request };
}

/** As the catch path wrote them. */
function readHeaders(json: string): [name: string, value: string][] {
  return JSON.parse(json);
}

function fail(code: string, message: string): PreparedCall {
  return { kind: "fail", code, message };
}
