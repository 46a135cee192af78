import type { ActionErrors } from "../draft/action-errors.ts";
import type { StepDraft, StepKind } from "../draft/step-draft.ts";
import type { StepPreviewView, StoredAuths } from "../draft/step-views.ts";

/** What the steps of the editor share. */
export type StepsView = {
  readonly steps: readonly StepDraft[];
  /** At most one is expanded. */
  readonly openId: number | null;
  /** With paths as in the API. */
  readonly errors: ActionErrors;
  /** Of the expanded step. */
  readonly preview: StepPreviewView | null;
  readonly storedAuths: StoredAuths;
  /** What later steps see of the last output of a step: "HTTP 200". Null: it has none. */
  readonly describeOutput: (step: StepDraft) => string | null;
};

export type StepsActions = {
  readonly open: (id: number | null) => void;
  readonly change: (id: number, change: (step: StepDraft) => StepDraft) => void;
  /** To the end, or to the end of the branch of a step. */
  readonly add: (kind: StepKind, branchOf: number | null) => void;
  readonly remove: (id: number) => void;
  readonly duplicate: (id: number) => void;
  /** To another place among its siblings. */
  readonly move: (id: number, to: number) => void;
  readonly rename: (id: number, key: string) => void;
};

export type StepsProps = { readonly view: StepsView; readonly actions: StepsActions };

/** Of the fields of one step. */
export type StepFieldsProps = {
  readonly step: StepDraft;
  readonly onChange: (change: Partial<StepDraft>) => void;
  readonly onRename: (key: string) => void;
  /** With paths below the step. */
  readonly errors: ActionErrors;
  readonly preview: StepPreviewView | null;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
  /** Whether other steps can be done if it fails. */
  readonly hasBranches: boolean;
};
