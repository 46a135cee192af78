import { flushSync } from "react-dom";
import { announce } from "#components/ui/feedback/toast.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { findStep } from "../draft/edit-steps.ts";
import type { StepDraft } from "../draft/step-draft.ts";

type Move = {
  readonly id: number;
  /** The position among its siblings. Nothing happens if there is no such place. */
  readonly to: number;
};

/** Moves a step, keeps the focus where it is, and tells screen readers its new place. */
export function moveAloud(
  steps: readonly StepDraft[],
  move: (id: number, to: number) => void,
  { id, to }: Move,
): void {
  const found = findStep(steps, id);
  if (found === undefined || to < 0 || to >= found.siblings.length) return;
  const { step, siblings, parent } = found;
  // The element moves to another position in the page, which removes the focus.
  const focused = document.activeElement;
  flushSync(() => move(id, to));
  if (focused instanceof HTMLElement) focused.focus();
  const prefix = parent === null ? "" : `${steps.indexOf(parent) + 1}.`;
  announce(`${safeText(step.key)} is now step ${prefix}${to + 1} of ${siblings.length}.`);
}
