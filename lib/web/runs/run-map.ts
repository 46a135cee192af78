import type { StepState } from "#lib/schema/act/step-states.ts";
import { type ActionStep, type AnyStep, stepsSchema } from "#lib/schema/act/steps.ts";
import { getVersion } from "#lib/services/actions/read-actions.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import type { RunStepRecord } from "#lib/services/runs.ts";
import { nullIfNotFound } from "#lib/web/request/null-if-not-found.ts";

/** A step of an action, and what became of it in a run. Null: the run didn't reach it. */
type MappedStep = {
  readonly key: string;
  readonly kind: AnyStep["kind"];
  readonly list: string | null;
  readonly isConditional: boolean;
  readonly onFailure: "stop" | "continue" | "steps";
  readonly branch: readonly MappedStep[];
  readonly state: StepState | null;
};

type Owner = { readonly id: string; readonly version: number; readonly steps: Steps | null };
type Steps = readonly ActionStep[];

/**
 * The steps of a run as its action had them, with their states. Null: its version is no longer
 * stored.
 */
export async function readRunMap(
  context: ServiceContext,
  run: { readonly action: Owner; readonly version: number | null },
  records: readonly RunStepRecord[],
): Promise<readonly MappedStep[] | null> {
  const steps = await readSteps(context, run);
  const states = new Map(
    records.flatMap(({ key, item, state }) => (item === null ? [[key, state] as const] : [])),
  );
  return steps?.map((step) => toMapped(step, states)) ?? null;
}

async function readSteps(
  context: ServiceContext,
  { action, version }: { readonly action: Owner; readonly version: number | null },
): Promise<Steps | null> {
  if (version === null || version === action.version) return action.steps;
  const found = await getVersion(context, { id: action.id, number: String(version) }).catch(
    nullIfNotFound,
  );
  if (found === null) return null;
  const steps = stepsSchema.safeParse(found.content.steps);
  return steps.success ? steps.data : null;
}

function toMapped(step: AnyStep, states: ReadonlyMap<string, StepState>): MappedStep {
  const { key, kind, when, forEach, onFailure } = step;
  const isHandled = typeof onFailure === "object";
  return {
    key,
    kind,
    list: forEach?.path ?? null,
    isConditional: when !== null,
    onFailure: isHandled ? "steps" : onFailure,
    branch: isHandled ? onFailure.steps.map((inner) => toMapped(inner, states)) : [],
    state: states.get(key) ?? null,
  };
}
