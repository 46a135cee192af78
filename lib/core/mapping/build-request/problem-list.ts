import type { RenderFailure } from "#lib/core/mapping/template/render-template.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";

/** Collects errors. A missing name decides the code, since other errors may follow from it. */
export class ProblemList {
  readonly errors: BuildError[] = [];
  first: BuildRequestCode | undefined;

  add(code: BuildRequestCode, at: string, messages: readonly string[]): void {
    if (this.first === undefined || code === "mapping_failed") this.first = code;
    for (const message of messages) this.errors.push({ at, message });
  }

  /** Adds the error of a template that can't be rendered. */
  addFailure(code: BuildRequestCode, at: string, { messages, names }: RenderFailure): void {
    this.add(code, at, []);
    for (const message of messages) {
      const missingName = names?.get(message);
      this.errors.push({ at, message, ...(missingName === undefined ? {} : { missingName }) });
    }
  }
}

export type BuildRequestCode =
  | "mapping_failed"
  | "mapping_too_slow"
  | "url_invalid"
  | "header_invalid"
  | "body_invalid"
  | "loop";

/**
 * `at` is the path in the action's request: `url`, `query.x`, `headers.x`, `bodyText`,
 * `body.items[0].email`, `multipart.0.value`.
 */
export type BuildError = {
  readonly at: string;
  readonly message: string;
  /** The name that the delivery doesn't have, in plain notation: `data.email`. */
  readonly missingName?: string;
};

export function toFieldErrors(errors: readonly BuildError[]): readonly FieldError[] {
  return errors.map(({ at: path, message, missingName: name }) =>
    name === undefined
      ? { path, code: "invalid_value", message }
      : { path, code: "missing_name", message, name },
  );
}
