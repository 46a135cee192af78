import { Allowed } from "#components/permissions/role.tsx";
import type { MapStep } from "#components/step-map/layout-steps.ts";
import { StepMap } from "#components/step-map/step-map.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { Badge, type Tone } from "#components/ui/status/badge.tsx";
import type { ResolveStep } from "#lib/schema/act/run.ts";
import type { StepState } from "#lib/schema/act/step-limits.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type AttemptView, RunAttempt } from "./run-attempt.tsx";

export type StepView = Omit<AttemptView, "number" | "late"> & {
  readonly key: string;
  /** Null: the step as a whole. */
  readonly item: number | null;
  readonly state: StepState;
  readonly attemptCount: number;
};

export type ResolveCommand = (runId: string, decision: ResolveStep) => Promise<CommandResult<null>>;

type RunStepsProps = {
  readonly runId: string;
  /** The steps of the action as it was. Null: they aren't known anymore. */
  readonly map: readonly RunMapStep[] | null;
  readonly steps: readonly StepView[];
  readonly hiddenSteps: number;
  readonly nowMs: number;
  readonly resolve: ResolveCommand;
};

/** A step of the action, and what became of it in the run. */
export type RunMapStep = Omit<MapStep, "id" | "branch"> & {
  readonly branch: readonly RunMapStep[];
};

/** The steps of a run and their results. A call whose outcome is unknown asks what happened. */
export function RunSteps({ runId, map, steps, hiddenSteps, nowMs, resolve }: RunStepsProps) {
  const toMap = (list: readonly RunMapStep[]): readonly MapStep[] =>
    list.map((one) => ({ ...one, id: toElementId(runId, one.key), branch: toMap(one.branch) }));
  return (
    <>
      {map !== null && <StepMap label="The run at a glance" steps={toMap(map)} />}
      <ul className="grid grid-cols-1 gap-1.5">
        {steps.map((step) => (
          <RunAttempt
            key={`${step.key} ${step.item}`}
            {...(step.item === null ? { id: toElementId(runId, step.key) } : {})}
            title={titleOf(step)}
            outcome={<Outcome step={step} />}
            attempt={{ ...step, number: step.attemptCount, late: false }}
            nowMs={nowMs}
          />
        ))}
      </ul>
      {hiddenSteps > 0 && <p>{hiddenSteps} more items are not shown here; the API has them.</p>}
      {steps
        .filter(({ state }) => state === "unknown")
        .map((step) => (
          <Decision
            key={`${step.key} ${step.item}`}
            step={step}
            decide={(as) => resolve(runId, { step: step.key, item: step.item, as })}
          />
        ))}
    </>
  );
}

function toElementId(runId: string, key: string): string {
  return `step-${runId}-${key}`;
}

function titleOf({ key, item }: Pick<StepView, "key" | "item">): string {
  return item === null ? key : `${key} · item ${item + 1}`;
}

const tones: Readonly<Record<StepState, Tone>> = {
  calling: "neutral",
  waiting: "neutral",
  retrying: "caution",
  unknown: "caution",
  succeeded: "positive",
  failed: "negative",
  skipped: "neutral",
  reset: "neutral",
};

function Outcome({ step: { state, response, attemptCount } }: { readonly step: StepView }) {
  return (
    <>
      <Badge tone={tones[state]}>{state === "unknown" ? "outcome unknown" : state}</Badge>
      {typeof response?.status === "number" && <span>HTTP {response.status}</span>}
      {attemptCount > 1 && <span>{attemptCount} attempts</span>}
    </>
  );
}

type DecisionProps = {
  readonly step: StepView;
  readonly decide: (as: ResolveStep["as"]) => Promise<CommandResult<null>>;
};

function Decision({ step, decide }: DecisionProps) {
  const title = titleOf(step);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-foreground">Did the call of {title} arrive?</span>
      <Allowed to="deliveries:write">
        <CommandButton
          ariaLabel={`The call of ${title} arrived`}
          run={decide.bind(null, "succeeded")}
        >
          Yes, go on
        </CommandButton>
      </Allowed>
      <Allowed to="deliveries:write">
        <CommandButton ariaLabel={`Repeat the call of ${title}`} run={decide.bind(null, "repeat")}>
          No, send it again
        </CommandButton>
      </Allowed>
      <Allowed to="deliveries:write">
        <ConfirmButton
          label="It failed"
          ariaLabel={`The call of ${title} failed`}
          title={`Mark ${title} as failed?`}
          keepLabel="Cancel"
          confirmLabel="Mark as failed"
          run={decide.bind(null, "failed")}
        >
          <p>The action continues as it does after a failure of this step.</p>
        </ConfirmButton>
      </Allowed>
    </div>
  );
}
