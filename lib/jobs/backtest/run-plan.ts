import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { checkUrl } from "#lib/core/sending/address/check-url.ts";
import type { StepError } from "#lib/core/steps/kinds/step-kind.ts";
import type { RealRun } from "#lib/db/backtests/work-backtests.ts";
import type { CheckEvents } from "#lib/evaluate/check-published.ts";
import type { BacktestOutcome, BacktestResponse } from "#lib/schema/act/backtest.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import type { ActionConfig, CallConfig } from "#lib/worker/config/action-config.ts";
import { prepareInRun, type RunContext } from "#lib/worker/steps/step-context.ts";

/** A request or event that a run would send. */
export type Effect = {
  readonly step: string;
  readonly item: number | null;
  readonly kind: "call" | "publish";
  readonly request: OutgoingRequest;
};

/** The plan of a run for a delivery, as far as it is known without sending anything. */
export type RunPlan = {
  readonly outcome: BacktestOutcome;
  /** The reason for which it is skipped or fails. */
  readonly error: StepError | null;
  readonly effects: readonly Effect[];
  readonly unknownSteps: readonly string[];
  readonly responses: Readonly<Record<string, "stored" | "given">>;
  readonly cutLists: readonly string[];
};

export type PlanInput = {
  readonly context: RunContext;
  readonly allowList: AllowList;
  /** Checks the events that steps publish. */
  readonly checkEvents: CheckEvents;
  /** Undefined: the action has no run for this delivery. */
  readonly real: RealRun | undefined;
  readonly givenResponses: Readonly<Record<string, BacktestResponse>>;
  /** The time after which no further step starts, in milliseconds of `performance.now()`. */
  readonly endsAt: number;
};

export function planOf(
  outcome: BacktestOutcome,
  error: StepError | null,
  effects: readonly Effect[] = [],
): RunPlan {
  return { outcome, error, effects, unknownSteps: [], responses: {}, cutLists: [] };
}

/** Plans an action with one call, with the same code as its runs. */
export async function planCall(
  { context, allowList }: PlanInput,
  { filter, request, auth }: CallConfig,
): Promise<RunPlan> {
  const { runId, version } = context;
  const need = { kind: "request", request, auth, runId, version } as const;
  const prepared = await prepareInRun(context, { filter, need, chars: 0 });
  if (prepared.kind === "skip")
    return planOf("skip", { code: "filter_not_matched", message: prepared.message });
  if (prepared.kind === "fail") return planOf("fail", prepared);
  const effect: Effect = { step: onlyCallKey, item: null, kind: "call", request: prepared.value };
  const error = checkAddress(prepared.value, allowList);
  return error === null ? planOf("run", null, [effect]) : planOf("fail", error);
}

/** Names are not resolved, so an address behind a name is checked only by the run. */
export function checkAddress({ url }: OutgoingRequest, allowList: AllowList): StepError | null {
  const checked = checkUrl(url, allowList);
  return checked.ok ? null : { code: checked.code, message: checked.message };
}

/** The secrets of both actions, which must not be stored. */
export function secretsOf(...configs: readonly (ActionConfig | null)[]): readonly string[] {
  return configs.flatMap((config) => config?.secretValues ?? []);
}
