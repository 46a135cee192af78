/** An error in one field. `path` is dotted. For templates, `line` and `column` count from 1. */
export type FieldError = {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
};
