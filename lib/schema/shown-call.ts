/** Calls of the API as the documentation shows them. */

/** A field of a request or a response. */
export type ShownField = {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** JSON, or null: it has no default. */
  readonly preset: string | null;
  /** Our own text, with HTML escaped. */
  readonly html: string;
  readonly fields: readonly ShownField[];
};

/** A call of the API, as its page shows it. */
export type ShownCall = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Our own text, with HTML escaped. */
  readonly html: string;
  readonly scope: string;
  readonly given: readonly { readonly title: string; readonly fields: readonly ShownField[] }[];
  /** The fields of the response, or of each item of a list. */
  readonly returned: readonly ShownField[];
  /** The call above that explains the same fields. */
  readonly sameAs: { readonly id: string; readonly summary: string } | null;
  readonly samples: readonly ShownSample[];
  readonly status: number;
  /** Null: the response has no body. */
  readonly response: string | null;
  readonly errors: readonly {
    readonly code: string;
    readonly status: number;
    readonly title: string;
  }[];
  /** Null: it can't be tried on a page, because its response never ends. */
  readonly trial: CallTrial | null;
};

export type ShownSample = { readonly language: Language; readonly code: string };

export type Language = "curl" | "client" | "node" | "python" | "go";

/** The parts of a call that a person fills in to try it. */
export type CallTrial = {
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: "path" | "query";
    readonly isRequired: boolean;
    readonly hint: string;
    readonly example: string;
  }[];
  /** JSON. Null: the call has no body. */
  readonly body: string | null;
  /** True if what it does can't be undone. */
  readonly isDestructive: boolean;
};
