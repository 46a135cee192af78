import type { Made, Need } from "#lib/core/mapping/build-request/need.ts";
import type { StepNames } from "#lib/core/mapping/template/step-context.ts";
import type { CallRequest, Prepared, StepOutcome } from "#lib/core/steps/kinds/step-kind.ts";
import type { StepDriver, StepItem, StepRun } from "#lib/core/steps/step-driver.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import type { Threads } from "#lib/threads/thread-pool.ts";
import { runTransformStep } from "#lib/threads/transform/run-transform-step.ts";
import type { WorkTasks } from "../action/execute-options.ts";
import { prepareNeed } from "../action/prepare-run.ts";
import type { ReadDelivery } from "../action/read-delivery.ts";
import type { StepsConfig } from "../config/action-config.ts";

/** The inputs of everything that is prepared for a run. */
export type RunContext = {
  readonly runId: string;
  readonly threads: Threads<WorkTasks>;
  readonly target: RunTarget;
  readonly delivery: ReadDelivery;
  readonly version: string;
  /**
   * The value of `now` in a backtest, which does all work in threads because there is so much of
   * it.
   */
  readonly backtest?: { readonly nowMs: number };
};

export type StepContext = RunContext & {
  readonly auths: StepsConfig["auths"];
  /** The results of the steps that have ended, and their length as JSON. */
  readonly readNames: (item: StepItem | null) => {
    readonly names: StepNames;
    readonly chars: number;
  };
};

type Input<N extends Need> = {
  readonly filter: ActionFilter | null;
  readonly need: N;
  readonly names?: StepNames;
  /** The length of the templates, and of the results that they can read. */
  readonly chars: number;
};

export function prepareInRun<N extends Need>(
  { threads, target, delivery, backtest }: RunContext,
  { filter, need, names, chars }: Input<N>,
): Promise<Prepared<Made<N>>> {
  const input = {
    delivery: delivery.view,
    hook: target.hook,
    filter,
    need,
    ...(names !== undefined && { names }),
    nowMs: backtest?.nowMs ?? Date.now(),
  };
  return prepareNeed(threads, input, {
    accountId: target.accountId,
    actionChars: chars,
    readContext: delivery.readContext,
    isInThread: backtest !== undefined,
  });
}

/** The action's own filter, before its first step. */
export function prepareFilter(context: RunContext, filter: ActionFilter): Promise<Prepared<null>> {
  const chars = context.target.stepsJson?.length ?? 0;
  return prepareInRun(context, { filter, need: { kind: "nothing" }, chars });
}

/** Resolves the needs of a step with the same code as an action with one call. */
export function resolveNeeds(
  context: StepContext,
): Pick<StepDriver, "prepareRequest" | "prepareValue"> {
  const prepare = <N extends Need>({ item, when }: StepRun, need: N) => {
    const { names, chars: nameChars } = context.readNames(item);
    const chars = (context.target.stepsJson?.length ?? 0) + nameChars;
    return prepareInRun(context, { filter: when, need, names, chars });
  };
  const { auths, version } = context;
  return {
    prepareRequest: (run, { auth: _apart, ...request }: CallRequest) => {
      const auth = auths.get(run.step.key) ?? null;
      const runId = toStepId(context, run);
      return prepare(run, { kind: "request", request, auth, runId, version });
    },
    prepareValue: (run, value, at) => prepare(run, { kind: "value", value, at }),
  };
}

export function transformInRun(
  context: StepContext,
  run: StepRun,
  code: string,
): Promise<StepOutcome> {
  const { threads, target, delivery, readNames } = context;
  const { accountId, hook } = target;
  const { names } = readNames(run.item);
  const seed = toStepId(context, run);
  const step = { code, accountId, hook, delivery: delivery.view, names, seed };
  return runTransformStep(threads, step);
}

/**
 * An id that stays the same whenever the step runs again for this run. Calls send it as
 * `Idempotency-Key`.
 */
export function toStepId({ runId }: RunContext, { step, item }: StepRun): string {
  return item === null ? `${runId}-${step.key}` : `${runId}-${step.key}-${item.index}`;
}
