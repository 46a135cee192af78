import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { stepIcons } from "#components/step-map/step-icons.ts";
import { Button } from "#components/ui/button/button.tsx";
import type { StepKind } from "../draft/step-draft.ts";
import { stepKinds, viewOf } from "../kinds/kind-views.ts";

type AddStepProps = {
  /** Text that screen readers read before the kind: "Add step". */
  readonly label: string;
  readonly isFull: boolean;
  readonly onAdd: (kind: StepKind) => void;
  /** Content after the buttons. */
  readonly children?: ReactNode;
};

/** Buttons that add a step, one for each kind. */
export function AddStep({ label, isFull, onAdd, children }: AddStepProps) {
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
      {children}
    </div>
  );
}
