"use client";

import { useEffect, useRef, useState } from "react";
import { announce, toast } from "#components/ui/feedback/toast.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import {
  addStep,
  changeStep,
  duplicateStep,
  findStep,
  moveStep,
  removeStep,
  renameStep,
} from "./draft/edit-steps.ts";
import type { StepDraft } from "./draft/step-draft.ts";
import type { StepsActions } from "./steps/steps-view.ts";

type Steps = readonly StepDraft[];

type StepsEditing = {
  /** The expanded one, which the preview is of. */
  readonly openId: number | null;
  readonly setOpenId: (id: number | null) => void;
  readonly actions: StepsActions;
};

/** What can be done with the steps of a draft. Focus and screen readers follow. */
export function useStepsEditing(
  steps: Steps,
  setSteps: (change: (steps: Steps) => Steps) => void,
): StepsEditing {
  const [openId, setOpenId] = useState<number | null>(steps[0]?.id ?? null);
  const toFocus = useRef<number | "add" | null>(null);

  useEffect(() => {
    const target = toFocus.current;
    if (target === null) return;
    toFocus.current = null;
    const place =
      target === "add"
        ? "[data-commands='action step'] button"
        : `[data-step='${target}'] h4 button`;
    document.querySelector<HTMLElement>(place)?.focus();
  });

  function open(id: number, words: string) {
    setOpenId(id);
    toFocus.current = id;
    announce(words);
  }

  const actions: StepsActions = {
    open: setOpenId,
    change: (id, change) => setSteps((before) => changeStep(before, id, change)),
    rename: (id, key) => setSteps((before) => renameStep(before, id, key)),
    move: (id, to) => setSteps((before) => moveStep(before, id, to)),
    add: (kind, branchOf) => {
      const added = addStep(steps, kind, branchOf);
      setSteps(() => added.steps);
      open(added.id, `Added step ${findStep(added.steps, added.id)?.step.key ?? ""}.`);
    },
    duplicate: (id) => {
      const copied = duplicateStep(steps, id);
      setSteps(() => copied.steps);
      open(copied.id, `Added step ${findStep(copied.steps, copied.id)?.step.key ?? ""}.`);
    },
    remove: (id) => {
      const found = findStep(steps, id);
      if (found === undefined) return;
      const left = removeStep(steps, id);
      if (left.length === 0) {
        toast("An action needs at least one step. Add another one first.", { tone: "caution" });
        return;
      }
      setSteps(() => left);
      const next = found.siblings[found.index + 1] ?? found.siblings[found.index - 1];
      if (openId === id) setOpenId(null);
      toFocus.current = next?.id ?? found.parent?.id ?? "add";
      announce(`Removed step ${safeText(found.step.key)}.`);
    },
  };
  return { openId, setOpenId, actions };
}
