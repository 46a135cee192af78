import { CornerDownRight, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { stepIcons } from "#components/step-map/step-icons.ts";
import { Button } from "#components/ui/button/button.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { StepDraft, StepKind } from "../draft/step-draft.ts";
import { stepKinds, viewOf } from "../kinds/kind-views.ts";

type AddStepProps = {
  /** Text that screen readers read before the kind: "Add step". */
  readonly label: string;
  readonly isFull: boolean;
  readonly onAdd: (kind: StepKind) => void;
  /** The step for whose failure a branch can begin. Null: none. */
  readonly failure: StepDraft | null;
  readonly onBranch: (step: StepDraft) => void;
  /** Content after the buttons. */
  readonly children?: ReactNode;
};

/** Buttons that add a step, one for each kind, and one for what happens if a step fails. */
export function AddStep({ label, isFull, onAdd, failure, onBranch, children }: AddStepProps) {
  if (isFull)
    return <p className="text-sm text-muted-foreground">An action has at most 20 steps.</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend can't be laid out like a label
    <div
      role="group"
      aria-label={label}
      data-commands="action step"
      className="flex flex-wrap items-center gap-x-2 gap-y-2"
    >
      <span aria-hidden className="inline-flex items-center gap-1 text-sm text-muted-foreground">
        <Plus size={15} />
        {label}
      </span>
      {stepKinds.map((kind) => {
        const { label: kindLabel, shortLabel } = viewOf(kind);
        const Icon = stepIcons[kind];
        return (
          <Button
            key={kind}
            look="secondary"
            className="h-8"
            aria-label={`${label}: ${kindLabel}`}
            onClick={() => onAdd(kind)}
          >
            <Icon aria-hidden size={14} />
            {shortLabel}
          </Button>
        );
      })}
      {failure !== null && (
        <Button
          look="secondary"
          className="h-8 max-w-64"
          aria-label={`${label}: If ${safeText(failure.key)} fails`}
          onClick={() => onBranch(failure)}
        >
          <CornerDownRight aria-hidden size={14} className="shrink-0 text-negative" />
          <span className="truncate">If {safeText(failure.key)} fails</span>
        </Button>
      )}
      {children}
    </div>
  );
}
