import type { StepsProps } from "../steps/steps-view.ts";
import { describeOutput } from "./read-editor.ts";
import type { Editor } from "./use-editor.ts";

/** The props that all steps of the editor share. */
export function toStepsProps({ state, send, shown, errors, preview }: Editor): StepsProps {
  return {
    view: {
      steps: state.draft.steps,
      openId: state.openId,
      showsOptions: shown.isOnly && state.showsSteps,
      errors,
      preview,
      storedAuths: state.storedAuths,
      describeOutput: (step) => describeOutput(state, step),
    },
    actions: {
      open: (id) => send({ kind: "step_opened", id }),
      change: (id, change) => send({ kind: "step_changed", id, change }),
      add: (work, place) => send({ kind: "step_added", work, place }),
      remove: (id) => send({ kind: "step_removed", id }),
      duplicate: (id) => send({ kind: "step_duplicated", id }),
      move: (id, to) => send({ kind: "step_moved", id, to }),
      rename: (id, key) => send({ kind: "step_renamed", id, key }),
    },
  };
}
