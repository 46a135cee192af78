"use client";

import { useStepDrag } from "#components/step-map/use-step-drag.ts";
import { classNames } from "#components/ui/class-names.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { findBranchable, hasRoom } from "../draft/edit-steps.ts";
import type { StepDraft } from "../draft/step-draft.ts";
import { AddStep } from "./add-step.tsx";
import { moveAloud } from "./move-aloud.ts";
import { StepCard } from "./step-card.tsx";
import type { StepsProps } from "./steps-view.ts";

type StepFlowProps = StepsProps & {
  /** The steps of this list, in order. */
  readonly siblings: readonly StepDraft[];
  /** The path of the list in API errors: `steps`. */
  readonly path: string;
  /** The step whose failure they handle. */
  readonly branchOf: StepDraft | null;
};

/** Steps in order, each a card. */
export function StepFlow({ view, actions, siblings, path, branchOf }: StepFlowProps) {
  const move = (id: number, to: number) => moveAloud(view.steps, actions.move, { id, to });
  const { list, drag, start } = useStepDrag(move);
  const prefix = branchOf === null ? "" : `${numberOf(view.steps, branchOf)}.`;

  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <ol
        ref={list}
        aria-label={branchOf === null ? "Steps" : `If ${safeText(branchOf.key)} fails`}
        className="grid min-w-0 grid-cols-1 gap-2"
      >
        {siblings.map((step, at) => (
          <li
            key={step.id}
            data-item
            className={classNames(
              "relative min-w-0",
              drag?.id === step.id && "opacity-50",
              drag !== null && at === drag.to && drag.to < drag.from && dropLine("-top-1.5"),
              drag !== null && at === drag.to && drag.to > drag.from && dropLine("-bottom-1.5"),
            )}
          >
            <StepCard
              view={view}
              actions={{ ...actions, move }}
              step={step}
              path={`${path}.${at}`}
              number={`${prefix}${at + 1}`}
              place={{ at, count: siblings.length }}
              branch={
                branchOf === null && step.onFailure === "steps" ? (
                  <StepFlow
                    view={view}
                    actions={actions}
                    siblings={step.branch}
                    path={`${path}.${at}.onFailure.steps`}
                    branchOf={step}
                  />
                ) : null
              }
              hasBranches={branchOf === null}
              onDragStart={(event) => start(event, step.id, at)}
            />
          </li>
        ))}
      </ol>
      <AddStep
        label={branchOf === null ? "Add step" : "Add step for the failure"}
        isFull={!hasRoom(view.steps)}
        onAdd={(kind) => actions.add(kind, { branchOf: branchOf?.id ?? null })}
        failure={branchOf === null ? findBranchable(siblings, view.openId) : null}
        onBranch={(step) => actions.add("call", { branchOf: step.id })}
      />
    </div>
  );
}

function numberOf(steps: readonly StepDraft[], { id }: StepDraft): number {
  return steps.findIndex((step) => step.id === id) + 1;
}

function dropLine(place: string): string {
  return `before:absolute before:inset-x-0 before:h-0.5 before:rounded-full before:bg-primary before:${place}`;
}
