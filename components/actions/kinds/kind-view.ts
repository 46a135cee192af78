import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { ActionErrors } from "../draft/action-errors.ts";
import type { StepKind, StepWork } from "../draft/step-draft.ts";
import type { StepPreviewView } from "../draft/step-views.ts";

type WorkOf<Kind extends StepKind> = Extract<StepWork, { readonly kind: Kind }>;

export type KindFieldsProps<Kind extends StepKind> = {
  readonly work: WorkOf<Kind>;
  readonly onChange: (work: WorkOf<Kind>) => void;
  /** With paths below the step. */
  readonly errors: ActionErrors;
  readonly preview: StepPreviewView | null;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
};

/** Everything that the editor draws of one kind of step. */
export type KindView<Kind extends StepKind> = {
  readonly label: string;
  /** On the button that adds one. */
  readonly shortLabel: string;
  readonly Icon: LucideIcon;
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
