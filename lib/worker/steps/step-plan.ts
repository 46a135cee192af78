import type { Made, Need } from "#lib/core/build-request/need.ts";
import type { OutgoingRequest } from "#lib/core/http/http-types.ts";
import type { StepError } from "#lib/core/steps/kinds/step-kind.ts";
import type { StepNames } from "#lib/core/template/step-context.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { ActionFilter } from "#lib/schema/action/action-filter.ts";
import type { ActionRequestTemplate } from "#lib/schema/action/action-request.ts";
import type { RequestAuth } from "#lib/schema/action/request-auth.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { Threads } from "#lib/threads/thread-pool.ts";
import type { WorkTasks } from "../action/execute-options.ts";
import { prepareNeed } from "../action/prepare-run.ts";
import type { ReadDelivery } from "../action/read-delivery.ts";

/** What every step of a run is prepared from. */
export type StepGround = {
  readonly threads: Threads<WorkTasks>;
  readonly target: RunTarget;
  readonly delivery: ReadDelivery;
  readonly version: string;
  /** Of a backtest: what `now` is. Everything is done in threads, because there is much of it. */
  readonly backtest?: { readonly nowMs: number };
};

export type StepInput = {
  /** Null: it always holds. */
  readonly when: ActionFilter | null;
  readonly names: StepNames;
  /** Of the results that the names contain. */
  readonly nameChars: number;
  /** Sent as `Idempotency-Key`. */
  readonly idempotencyKey: string;
};

export type Prepared<Value> =
  | { readonly kind: "ready"; readonly value: Value }
  | { readonly kind: "skip"; readonly message: string }
  | { readonly kind: "fail"; readonly error: StepError };

/** The request of a call, by the same code as that of an action with one call. */
export function prepareStepCall(
  ground: StepGround,
  input: StepInput,
  { request, auth }: { readonly request: ActionRequestTemplate; readonly auth: RequestAuth | null },
): Promise<Prepared<OutgoingRequest>> {
  const { version } = ground;
  const runId = input.idempotencyKey;
  return prepare(ground, input, { kind: "request", request, auth, runId, version });
}

/** JSON whose strings are templates, with their values, as text. */
export function prepareStepValue(
  ground: StepGround,
  input: StepInput,
  value: JsonValue,
): Promise<Prepared<string>> {
  return prepare(ground, input, { kind: "value", value, at: "" });
}

async function prepare<N extends Need>(
  { target, delivery, threads, backtest }: StepGround,
  { when, names, nameChars }: StepInput,
  need: N,
): Promise<Prepared<Made<N>>> {
  const input = {
    delivery: delivery.view,
    hook: target.hook,
    filter: when,
    need,
    names,
    nowMs: backtest?.nowMs ?? Date.now(),
  };
  const prepared = await prepareNeed(threads, input, {
    accountId: target.accountId,
    actionChars: (target.stepsJson?.length ?? 0) + nameChars,
    readContext: delivery.readContext,
    isInThread: backtest !== undefined,
  });
  if (prepared.kind !== "fail") return prepared;
  return { kind: "fail", error: { code: prepared.code, message: prepared.message } };
}
