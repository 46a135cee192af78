import { safeText } from "#components/ui/text/safe-text.ts";
import type { SavedAction } from "#lib/schema/act/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import type { ActionStart } from "../draft/action-presets.ts";
import {
  addStep,
  changeRequest,
  changeStep,
  duplicateStep,
  findInvalidStep,
  findStep,
  moveStep,
  removeStep,
  renameStep,
} from "../draft/edit-steps.ts";
import { keepAuths, markKeysAsSaved, readFormerKeys } from "../draft/former-keys.ts";
import { nameSteps } from "../draft/name-steps.ts";
import type { StepDraft } from "../draft/step-draft.ts";
import { hasCondition } from "../steps/to-map-steps.ts";
import { type EditorEvent, type EditorState, none } from "./editor-state.ts";
import { findShownStep } from "./read-editor.ts";

/** The editor after an event. */
export function reduceEditor(state: EditorState, event: EditorEvent): EditorState {
  const { steps } = state.draft;
  switch (event.kind) {
    case "changed":
      return change(state, event.change);
    case "started":
      return fillIn(state, event.start);
    case "template_chosen": {
      const openId = event.draft.steps[0]?.id ?? null;
      // A template for every delivery leaves the limit to the chosen one's type.
      const filter = hasCondition({ when: event.draft.filter })
        ? event.draft.filter
        : state.draft.filter;
      return { ...change(state, { ...event.draft, filter }), showsSteps: false, openId };
    }
    case "steps_shown":
      return { ...state, showsSteps: true };
    case "step_opened":
      return { ...state, openId: event.id };
    case "step_changed":
      return changeSteps(state, changeStep(steps, event.id, event.change));
    case "request_changed":
      return changeSteps(state, changeRequest(steps, event.id, event.change));
    case "step_renamed":
      return change(state, { steps: renameStep(steps, event.id, event.key) });
    case "step_moved":
      return change(state, { steps: moveStep(steps, event.id, event.to) });
    case "step_added":
      return openNew(state, addStep(steps, event.work, event.place));
    case "step_duplicated":
      return openNew(state, duplicateStep(steps, event.id));
    case "step_removed":
      return remove(state, event.id);
    case "delivery_chosen": {
      const results = { calls: none, values: none };
      const fittingType = findFittingType(state, event.fits);
      return { ...state, ...results, chosen: event.chosen, fittingType, itemIndex: 0 };
    }
    case "item_chosen":
      return { ...state, itemIndex: event.index };
    case "call_made":
      return { ...state, calls: new Map(state.calls).set(event.id, event.call) };
    case "value_computed":
      return { ...state, values: new Map(state.values).set(event.id, event.value) };
    case "save_ended":
      return endSave(state, event.draft, event.result);
    case "version_kept":
      return { ...state, base: { ...state.base, version: event.version } };
    default:
      return event satisfies never;
  }
}

/** Until a preview says otherwise, a mapping fits the delivery that the editor opened with. */
function findFittingType({ chosen, fittingType }: EditorState, fits: boolean | null) {
  const isFitting = fits ?? fittingType === null;
  return isFitting ? (chosen?.delivery.eventType ?? null) : fittingType;
}

/** Drops the errors of the last save, because they refer to an old draft. */
function change(state: EditorState, fields: Partial<ActionDraft>): EditorState {
  return { ...state, draft: { ...state.draft, ...fields }, saved: undefined };
}

/** Steps are named by what they do now. */
function changeSteps(state: EditorState, steps: readonly StepDraft[]): EditorState {
  return change(state, { steps: nameSteps(state.draft.steps, steps) });
}

/** Fills in the expanded call, or a new one. */
function fillIn(before: EditorState, { name, request }: ActionStart): EditorState {
  const state = name === undefined ? before : change(before, { name });
  const { step } = findShownStep(state);
  if (step?.work.kind === "call")
    return changeSteps(state, changeRequest(state.draft.steps, step.id, request));
  const added = addStep(state.draft.steps, "call");
  const steps = changeRequest(added.steps, added.id, request);
  return { ...changeSteps(state, steps), openId: added.id };
}

/** Expands a new step, whose name is entered first. */
function openNew(
  state: EditorState,
  { steps, id }: { readonly steps: readonly StepDraft[]; readonly id: number },
): EditorState {
  const key = findStep(steps, id)?.step.key ?? "";
  const focus = `[data-step="${id}"] input[name=stepKey]`;
  const reaction = { focus, announce: `Added step ${safeText(key)}.` };
  return { ...changeSteps(state, steps), openId: id, reaction };
}

function remove(state: EditorState, id: number): EditorState {
  const found = findStep(state.draft.steps, id);
  if (found === undefined) return state;
  const steps = removeStep(state.draft.steps, id);
  if (steps.length === 0) {
    const warn = "An action needs at least one step. Add another one first.";
    return { ...state, reaction: { warn } };
  }
  const next = found.siblings[found.index + 1] ?? found.siblings[found.index - 1];
  const near = next?.id ?? found.parent?.id;
  const focus =
    near === undefined ? "[data-commands='action step'] button" : `[data-step="${near}"] h4 button`;
  return {
    ...change(state, { steps }),
    openId: state.openId === id ? null : state.openId,
    reaction: { focus, announce: `Removed step ${safeText(found.step.key)}.` },
  };
}

function endSave(
  state: EditorState,
  draft: ActionDraft,
  saved: CommandResult<SavedAction>,
): EditorState {
  if (!saved.ok) {
    const openId = findInvalidStep(draft.steps, saved.errors) ?? state.openId;
    return { ...state, saved, openId };
  }
  return {
    ...state,
    saved,
    draft: markKeysAsSaved(state.draft),
    base: { draft: markKeysAsSaved(draft), version: saved.value.version },
    storedAuths: keepAuths(state.storedAuths, readFormerKeys(draft)),
    isLeaving: state.base.version === null,
  };
}
