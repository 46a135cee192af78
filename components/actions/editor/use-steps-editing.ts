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
} from "../draft/edit-steps.ts";
import type { StepDraft } from "../draft/step-draft.ts";
import type { StepsActions } from "../steps/steps-view.ts";

type Steps = readonly StepDraft[];

type StepsEditing = {
  /** The id of the expanded step, which the preview shows. */
  readonly openId: number | null;
  readonly setOpenId: (id: number | null) => void;
  readonly actions: StepsActions;
};

/** The commands for the steps of a draft. Focus and screen readers follow. */
export function useStepsEditing(
  steps: Steps,
  setSteps: (change: (steps: Steps) => Steps) => void,
): StepsEditing {
  const [openId, setOpenId] = useState<number | null>(steps[0]?.id ?? null);
  const toFocus = useRef<string | null>(null);

  useEffect(() => {
    const place = toFocus.current;
    if (place === null) return;
    toFocus.current = null;
    const element = document.querySelector<HTMLElement>(place);
    element?.focus();
    if (element instanceof HTMLInputElement) element.select();
  });

  /** Opens a new step, whose name is entered first. */
  function openNew(id: number, key: string) {
    setOpenId(id);
    toFocus.current = `[data-step="${id}"] input[name=stepKey]`;
    announce(`Added step ${key}.`);
  }

  const actions: StepsActions = {
    open: setOpenId,
    change: (id, change) => setSteps((before) => changeStep(before, id, change)),
    rename: (id, key) => setSteps((before) => renameStep(before, id, key)),
    move: (id, to) => setSteps((before) => moveStep(before, id, to)),
    add: (kind, branchOf) => {
      const added = addStep(steps, kind, branchOf);
      setSteps(() => added.steps);
      openNew(added.id, findStep(added.steps, added.id)?.step.key ?? "");
    },
    duplicate: (id) => {
      const copied = duplicateStep(steps, id);
      setSteps(() => copied.steps);
      openNew(copied.id, findStep(copied.steps, copied.id)?.step.key ?? "");
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
      const near = next?.id ?? found.parent?.id;
      toFocus.current =
        near === undefined
          ? "[data-commands='action step'] button"
          : `[data-step="${near}"] h4 button`;
      announce(`Removed step ${safeText(found.step.key)}.`);
    },
  };
  return { openId, setOpenId, actions };
}
