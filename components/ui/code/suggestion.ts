/** Text that can be inserted at the cursor. */
export type Suggestion = {
  /** As listed. */
  readonly label: string;
  /** Replaces what was typed. */
  readonly text: string;
  readonly detail: string;
  readonly kind: string;
};

export type Completion = {
  /** Offsets of the typed piece. */
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly Suggestion[];
};

export type Completer = {
  /** Null where nothing fits. */
  readonly complete: (text: string, cursor: number) => Completion | null;
  readonly apply: (
    text: string,
    completion: Completion,
    suggestion: Suggestion,
  ) => { readonly text: string; readonly cursor: number };
};

/** A stretch of the text that is drawn differently. */
export type Mark = { readonly from: number; readonly to: number; readonly className: string };
