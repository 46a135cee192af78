import type { ReactNode } from "react";
import type { ActionErrors } from "../draft/action-errors.ts";
import type { StepKind, WorkOf } from "../draft/step-draft.ts";
import type { StepPreviewView } from "../draft/step-views.ts";

export type KindFieldsProps<Kind extends StepKind> = {
  readonly work: WorkOf<Kind>;
  readonly onChange: (work: WorkOf<Kind>) => void;
  /** The paths of the errors are below the step. */
  readonly errors: ActionErrors;
  readonly preview: StepPreviewView | null;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
};

/** Everything that the editor draws of one kind of step, except its icon. */
export type KindView<Kind extends StepKind> = {
  readonly label: string;
  /** The text of the button that adds one. */
  readonly shortLabel: string;
  /** Whether it can be done for each item of a list. */
  readonly hasItems: boolean;
  /** Describes a step in a few words. */
  readonly summarize: (work: WorkOf<Kind>) => string;
  readonly Fields: (props: KindFieldsProps<Kind>) => ReactNode;
  /** More options than every step has. */
  readonly Options?: (props: KindFieldsProps<Kind>) => ReactNode;
  /** The effect of the step, shown beside its fields. A request has a preview of its own. */
  readonly Preview?: (props: { readonly value: string }) => ReactNode;
};
