import type { MapStep } from "#components/step-map/layout-steps.ts";
import { filledRows } from "../draft/filter-draft.ts";
import type { StepDraft } from "../draft/step-draft.ts";

/** The steps of a draft for their drawing. */
export function toMapSteps(steps: readonly StepDraft[]): readonly MapStep[] {
  return steps.map((step) => ({
    id: toStepId(step.id),
    key: step.key.trim() === "" ? "(no key)" : step.key,
    kind: step.work.kind,
    list: step.forEach?.path.trim() ?? null,
    isConditional: hasCondition(step),
    onFailure: step.onFailure,
    branch: step.onFailure === "steps" ? toMapSteps(step.branch) : [],
  }));
}

/** The id of a step's element in the editor. */
export function toStepId(id: number): string {
  return `step-${id}`;
}

/** The step that an element in the editor shows. */
export function findMapStep(steps: readonly StepDraft[], elementId: string): number | null {
  const all = steps.flatMap((step) => [step, ...step.branch]);
  return all.find(({ id }) => toStepId(id) === elementId)?.id ?? null;
}

export function hasCondition({ when }: Pick<StepDraft, "when">): boolean {
  return when.mode === "json" ? when.json.trim() !== "" : filledRows(when).length > 0;
}
