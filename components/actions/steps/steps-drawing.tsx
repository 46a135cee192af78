"use client";

import { Suspense } from "react";
import { flushSync } from "react-dom";
import { type MapPlace, StepMap } from "#components/step-map/step-map.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { findStep, hasRoom } from "../draft/edit-steps.ts";
import { moveAloud } from "./move-aloud.ts";
import type { StepsProps } from "./steps-view.ts";
import { findMapStep, toMapSteps, toStepId } from "./to-map-steps.ts";

// Loaded after the page, as all menus.
const AddAtMenu = lazyPart("AddAtMenu", () => import("./add-at-menu.tsx"));

/**
 * All steps of the draft at one glance. A click expands a step and goes there, a drag or Alt with an
 * arrow moves it, and a plus sign adds one where it is.
 */
export function StepsDrawing({ view, actions }: StepsProps) {
  const { steps, openId } = view;
  const idOf = (elementId: string) => findMapStep(steps, elementId) ?? -1;

  function addAt({ branchOf, at }: MapPlace) {
    if (!hasRoom(steps)) return null;
    const parent = branchOf === null ? null : (findStep(steps, idOf(branchOf))?.step ?? null);
    const before = (parent?.branch ?? steps)[at - 1];
    const place = { branchOf: parent?.id ?? null, at };
    const canFail = parent === null && before !== undefined && before.onFailure !== "steps";
    return (
      <Suspense fallback={<span className="step-map-plus" />}>
        <AddAtMenu
          label={`Add step after ${safeText(before?.key ?? "")}`}
          onAdd={(kind) => actions.add(kind, place)}
          failure={canFail ? before : null}
          onBranch={(step) => actions.add("call", { branchOf: step.id })}
        />
      </Suspense>
    );
  }

  return (
    <Card className="max-h-48 shrink-0 overflow-y-auto px-4 py-3">
      <StepMap
        label="Steps at a glance"
        steps={toMapSteps(steps)}
        openId={openId === null ? null : toStepId(openId)}
        // The browser scrolls to the expanded step.
        onOpen={(id) => flushSync(() => actions.open(findMapStep(steps, id)))}
        edit={{
          addAt,
          move: (id, to) => moveAloud(steps, actions.move, { id: idOf(id), to }),
        }}
      />
    </Card>
  );
}
