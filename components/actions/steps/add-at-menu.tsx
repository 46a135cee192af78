"use client";

import { Plus } from "lucide-react";
import { stepIcons } from "#components/step-map/step-icons.ts";
import { Menu, MenuItem, MenuSeparator } from "#components/ui/overlay/menu.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { StepDraft, StepKind } from "../draft/step-draft.ts";
import { stepKinds, viewOf } from "../kinds/kind-views.ts";

type AddAtMenuProps = {
  readonly label: string;
  readonly onAdd: (kind: StepKind) => void;
  /** The step for whose failure a branch can begin here. Null: none. */
  readonly failure: StepDraft | null;
  readonly onBranch: (step: StepDraft) => void;
};

/** A plus sign between two steps of the drawing: what can be added there. */
export function AddAtMenu({ label, onAdd, failure, onBranch }: AddAtMenuProps) {
  return (
    <Menu
      label={label}
      trigger={
        <button type="button" aria-label={label} title={label} className="step-map-plus">
          <Plus aria-hidden size={14} />
        </button>
      }
    >
      {stepKinds.map((kind) => {
        const Icon = stepIcons[kind];
        return (
          <MenuItem key={kind} onSelect={() => onAdd(kind)}>
            <Icon aria-hidden size={14} className="mr-2 text-muted-foreground" />
            {viewOf(kind).label}
          </MenuItem>
        );
      })}
      {failure !== null && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => onBranch(failure)}>If {safeText(failure.key)} fails</MenuItem>
        </>
      )}
    </Menu>
  );
}
