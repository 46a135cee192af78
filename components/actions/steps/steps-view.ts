import type { ActionErrors } from "../draft/action-errors.ts";
import type { NewPlace } from "../draft/edit-steps.ts";
import type { StepDraft, StepKind } from "../draft/step-draft.ts";
import type { StepPreviewView, StoredAuths } from "../draft/step-views.ts";

/** The data that all steps of the editor share. */
type StepsView = {
  readonly steps: readonly StepDraft[];
  /** The id of the expanded step, at most one. */
  readonly openId: number | null;
  /** True if the options of the expanded step were asked for. */
  readonly showsOptions: boolean;
  /** Errors with paths as in the API. */
  readonly errors: ActionErrors;
  /** The preview of the expanded step. */
  readonly preview: StepPreviewView | null;
  readonly storedAuths: StoredAuths;
  /** Describes a step's last result, as later steps see it: "HTTP 200". Null: no result. */
  readonly describeOutput: (step: StepDraft) => string | null;
};

type StepsActions = {
  readonly open: (id: number | null) => void;
  readonly change: (id: number, change: (step: StepDraft) => StepDraft) => void;
  readonly add: (kind: StepKind, place: NewPlace) => void;
  readonly remove: (id: number) => void;
  readonly duplicate: (id: number) => void;
  /** Moves a step to another position among its siblings. */
  readonly move: (id: number, to: number) => void;
  readonly rename: (id: number, key: string) => void;
};

export type StepsProps = { readonly view: StepsView; readonly actions: StepsActions };

/** The props of one step's fields. */
export type StepFieldsProps = {
  readonly step: StepDraft;
  readonly onChange: (change: Partial<StepDraft>) => void;
  readonly onRename: (key: string) => void;
  /** Errors with paths below the step. */
  readonly errors: ActionErrors;
  readonly preview: StepPreviewView | null;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
  /** True if the step may have a branch for failures. */
  readonly hasBranches: boolean;
  readonly showsOptions: boolean;
};
