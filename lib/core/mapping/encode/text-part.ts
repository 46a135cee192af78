/** The template's own text, or a rendered value that still has to be encoded for its place. */
export type TextPart =
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "value";
      readonly text: string;
      /** The value as JSON, on one line unless the template's author wrote the JSON. */
      readonly json: () => string;
    };

export type Encoded =
  | { readonly ok: true; readonly text: string }
  /** Why a value can't stand in its place, and what to do. */
  | { readonly ok: false; readonly message: string };

export function refuse(message: string): Encoded {
  return { ok: false, message };
}
