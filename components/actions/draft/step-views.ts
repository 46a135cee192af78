import type { PayloadNodeView } from "#components/payload/payload-rows.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { FilterVerdictView } from "./filter-draft.ts";

/** The result of a step, as templates name it: see `lib/services/actions/steps/step-results.ts`. */
export type StepResultView = { readonly key: string; readonly tree: PayloadNodeView };

/** The preview of a step: see `lib/services/actions/steps/preview-step.ts`. */
export type StepPreviewView = {
  readonly code: string | null;
  readonly errors: readonly FieldError[];
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly rawHeaders: readonly (readonly [string, string])[];
    readonly body: string | null;
    readonly bodyEncoding: "utf8" | "base64";
  } | null;
  /** The rendered value of each template field, by path. */
  readonly resolved: Readonly<Record<string, string>>;
  readonly verdict: FilterVerdictView | null;
  readonly when: FilterVerdictView | null;
  readonly items: { readonly count: number; readonly index: number } | null;
  readonly value: string | null;
  readonly result: StepResultView | null;
};

/** A call that was made: see `lib/services/actions/steps/try-steps.ts`. */
export type StepRunView = {
  readonly durationMs: number;
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string;
    readonly isCut: boolean;
  } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly skippedBecause: string | null;
  readonly resultJson: string;
  readonly result: StepResultView;
};

/** Kind and last characters of stored credentials, by the key that the step was saved with. */
export type StoredAuths = Readonly<
  Record<string, { readonly type: string; readonly hint: string | null }>
>;
