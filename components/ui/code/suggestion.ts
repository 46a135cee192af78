/** Text that can be inserted at the cursor. */
export type Suggestion = {
  /** The text in the list. */
  readonly label: string;
  /** The text that replaces the typed piece. */
  readonly text: string;
  readonly detail: string;
  readonly kind: string;
};

export type Completion = {
  /** The start of the typed piece. */
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly Suggestion[];
};

export type Completer = {
  /** Null if nothing fits. */
  readonly complete: (text: string, cursor: number) => Completion | null;
  readonly apply: (
    text: string,
    completion: Completion,
    suggestion: Suggestion,
  ) => { readonly text: string; readonly cursor: number };
};

/** A part of the text that is drawn differently. */
export type Mark = { readonly from: number; readonly to: number; readonly className: string };
