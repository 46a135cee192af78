"use client";

import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { safeText } from "#components/ui/text/safe-text.ts";
import { errorsBelow } from "../draft/action-errors.ts";
import type { StepDraft } from "../draft/step-draft.ts";
import { StepFields } from "./step-fields.tsx";
import { StepHead } from "./step-head.tsx";
import type { StepsProps } from "./steps-view.ts";
import { toStepId } from "./to-map-steps.ts";

type StepCardProps = StepsProps & {
  readonly step: StepDraft;
  /** The path in API errors. */
  readonly path: string;
  readonly number: string;
  readonly place: { readonly at: number; readonly count: number };
  /** The steps that run if it fails. */
  readonly branch: ReactNode;
  /** True if the step may have a branch for failures. */
  readonly hasBranches: boolean;
  readonly onDragStart: (event: PointerEvent) => void;
};

/** One step: a line, and its fields if it is expanded. */
export function StepCard(props: StepCardProps) {
  const { view, actions, step, path, place, branch } = props;
  const isOpen = view.openId === step.id;
  const errors = errorsBelow(view.errors, path);

  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined || !event.altKey || event.ctrlKey || event.metaKey) return;
    // In a select, the key opens the list.
    if ((event.target as HTMLElement).closest("button") === null) return;
    event.preventDefault();
    event.stopPropagation();
    actions.move(step.id, place.at + by);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons in it
    <div
      onKeyDown={onKeyDown}
      id={toStepId(step.id)}
      data-step={step.id}
      className="min-w-0 scroll-mt-4 rounded-lg border bg-card shadow-xs"
    >
      <StepHead {...props} isOpen={isOpen} errorCount={[...errors.keys()].length} />
      {isOpen && (
        <div className="grid min-w-0 grid-cols-1 gap-4 border-t px-3 py-4 sm:px-4">
          <StepFields
            step={step}
            onChange={(next) => actions.change(step.id, (before) => ({ ...before, ...next }))}
            onRename={(key) => actions.rename(step.id, key)}
            errors={errors}
            preview={view.preview}
            storedAuth={step.formerKey === null ? null : (view.storedAuths[step.formerKey] ?? null)}
            hasBranches={props.hasBranches}
            showsOptions={view.showsOptions}
          />
        </div>
      )}
      {branch !== null && (
        <div className="grid min-w-0 grid-cols-1 gap-2 border-t bg-muted/40 py-3 pr-2 pl-3 sm:pr-3 sm:pl-6">
          <p className="text-sm text-muted-foreground">
            If {safeText(step.key)} fails, run these steps instead:
          </p>
          {branch}
        </div>
      )}
    </div>
  );
}
