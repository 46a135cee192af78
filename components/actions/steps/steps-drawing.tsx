"use client";

import { flushSync } from "react-dom";
import { StepMap } from "#components/step-map/step-map.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import type { StepDraft } from "../draft/step-draft.ts";
import { findMapStep, toMapSteps, toStepId } from "./to-map-steps.ts";

type StepsDrawingProps = {
  readonly steps: readonly StepDraft[];
  readonly openId: number | null;
  readonly onOpen: (id: number | null) => void;
};

/** All steps of the draft at one glance. A click expands a step and goes there. */
export function StepsDrawing({ steps, openId, onOpen }: StepsDrawingProps) {
  return (
    <Card className="p-4">
      <StepMap
        label="Steps at a glance"
        steps={toMapSteps(steps)}
        openId={openId === null ? null : toStepId(openId)}
        // The browser scrolls to the expanded step.
        onOpen={(id) => flushSync(() => onOpen(findMapStep(steps, id)))}
      />
    </Card>
  );
}
