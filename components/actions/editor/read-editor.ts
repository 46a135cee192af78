import { type ActionDraft, isOneCall } from "../draft/action-draft.ts";
import { findStep, listEarlierSteps } from "../draft/edit-steps.ts";
import type { StepDraft } from "../draft/step-draft.ts";
import { describeResult, renameResult } from "../draft/step-sources.ts";
import type { StepResultView } from "../draft/step-views.ts";
import type { EditorState } from "./editor-state.ts";

export type ShownStep = {
  /** The step that the preview shows. Null: none is expanded. */
  readonly step: StepDraft | null;
  /** Its path in API errors. Empty: the errors of the only call have no path. */
  readonly path: string;
  /** The action makes one call and uses no feature of steps. */
  readonly isOnly: boolean;
  /** The action is shown as a call without steps. */
  readonly isSimple: boolean;
  /** The steps that have ended when it begins. */
  readonly earlier: readonly StepDraft[];
};

/** The expanded step, or the only call. */
export function findShownStep({
  draft,
  showsSteps,
  openId,
}: Pick<EditorState, "draft" | "showsSteps" | "openId">): ShownStep {
  const isOnly = isOneCall(draft);
  const isSimple = isOnly && !showsSteps;
  const id = isSimple ? draft.steps[0]?.id : openId;
  const found = id == null ? undefined : findStep(draft.steps, id);
  return {
    step: found?.step ?? null,
    path: isOnly ? "" : (found?.path ?? ""),
    isOnly,
    isSimple,
    earlier: id == null ? [] : listEarlierSteps(draft.steps, id),
  };
}

/** True if the draft differs from what was saved last. */
export function isDirty({ draft, base }: Pick<EditorState, "draft" | "base">): boolean {
  return toText(draft) !== toText(base.draft);
}

function toText(draft: ActionDraft): string {
  return JSON.stringify(draft);
}

/**
 * The newest result of a step for the chosen delivery, from the editor or from the action's last
 * run. Null: none.
 */
export function findResult(
  { chosen, calls, values }: Pick<EditorState, "chosen" | "calls" | "values">,
  { id, key, formerKey }: StepDraft,
): StepResultView | null {
  const stored = chosen?.payload.lastRun?.results.find((result) => result.key === formerKey);
  const found = calls.get(id)?.result ?? values.get(id) ?? stored;
  return found === undefined ? null : renameResult(found, key.trim());
}

/** A step's newest result in two words: "HTTP 200". Null: none. */
export function describeOutput(state: EditorState, step: StepDraft): string | null {
  const found = findResult(state, step);
  return found === null ? null : describeResult(found);
}
