import type { StepState } from "#lib/schema/act/step-limits.ts";
import type { AnyStep } from "#lib/schema/act/steps.ts";

/** A step as the drawing needs it. */
export type MapStep = {
  /** The id of the element that shows the step, to which the drawing links. */
  readonly id: string;
  readonly key: string;
  readonly kind: AnyStep["kind"];
  /** The path of the list that it repeats for. Null: it runs once. */
  readonly list: string | null;
  readonly isConditional: boolean;
  readonly onFailure: "stop" | "continue" | "steps";
  /** The steps that run if it fails. */
  readonly branch: readonly MapStep[];
  /** The step's state in a run. Null: the run didn't reach it. Undefined: there is no run. */
  readonly state?: StepState | null;
};

/** A step in its place in the drawing. */
export type StepCell = {
  readonly step: MapStep;
  /** `2`, or `2.1` for the first step of its branch. */
  readonly number: string;
  readonly branch: readonly StepCell[];
  /** False: the run never came here, or not yet. */
  readonly isReached: boolean;
  /** The reason why the run stopped here. Null: it went on, or didn't come here. */
  readonly stop: string | null;
  /** A line leads from here to the next step. False: it is the last one. */
  readonly hasNext: boolean;
  /** The run took the line to the next step. */
  readonly wentOn: boolean;
};

/** The steps from left to right, each with the steps of its branch below it. */
export function layoutSteps(steps: readonly MapStep[]): readonly StepCell[] {
  const reached = flatten(steps).filter(isReached);
  const last = reached.at(-1);
  const stop = last === undefined ? null : describeStop(last);
  return layoutList(steps, "", stop === null ? null : { at: last?.id ?? "", why: stop });
}

type Stop = { readonly at: string; readonly why: string };

function layoutList(
  steps: readonly MapStep[],
  prefix: string,
  stop: Stop | null,
): readonly StepCell[] {
  return steps.map((step, at) => {
    const number = `${prefix}${at + 1}`;
    const next = steps[at + 1];
    return {
      step,
      number,
      branch: layoutList(step.branch, `${number}.`, stop),
      isReached: isReached(step),
      stop: stop?.at === step.id ? stop.why : null,
      hasNext: next !== undefined,
      wentOn: next !== undefined && isReached(next),
    };
  });
}

/** In the order in which they run, a branch after its step. */
function flatten(steps: readonly MapStep[]): readonly MapStep[] {
  return steps.flatMap((step) => [step, ...flatten(step.branch)]);
}

/** Without a run, the whole drawing is solid. */
function isReached({ state }: MapStep): boolean {
  return state !== null && state !== "reset";
}

/** Null: the step doesn't hold the run. */
function describeStop({ state, onFailure }: MapStep): string | null {
  switch (state) {
    case "failed":
      return onFailure === "continue" ? null : "Stopped here";
    case "unknown":
      return "Held here: outcome unknown";
    case "waiting":
      return "Waits here";
    case "retrying":
      return "Retries here";
    case "calling":
      return "Runs now";
    default:
      return null;
  }
}
