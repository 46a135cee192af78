import { findJsonFault, placeOf } from "#lib/core/mapping/json/scan-json.ts";
import {
  type CommandResult,
  describeFieldError,
  type FieldError,
} from "#lib/schema/field/command-result.ts";

/** Errors by field path, as in the API: `request.url`, `request.headers.X-Id`. */
export type ActionErrors = ReadonlyMap<string, readonly FieldError[]>;

type Preview = { readonly errors: readonly FieldError[] };

/** The errors of a failed save first, then those of the preview for fields that aren't empty. */
export function listErrors(
  saved: CommandResult<unknown> | undefined,
  preview: CommandResult<Preview> | undefined,
): ActionErrors {
  return toErrorMap(listAll(saved, preview));
}

/** The errors by path, each once. */
export function toErrorMap(all: readonly FieldError[]): ActionErrors {
  const errors = new Map<string, FieldError[]>();
  for (const error of all) {
    const known = errors.get(error.path) ?? [];
    const text = describeFieldError(error);
    if (!known.some((other) => describeFieldError(other) === text))
      errors.set(error.path, [...known, error]);
  }
  return errors;
}

function listAll(
  saved: CommandResult<unknown> | undefined,
  preview: CommandResult<Preview> | undefined,
): readonly FieldError[] {
  if (saved?.ok === false) return saved.errors;
  if (preview?.ok === false) return preview.errors.filter(({ code }) => code !== "required");
  return preview?.value.errors ?? [];
}

/**
 * The errors below `path`, such as `steps.2`, with paths from there, for the fields of a step.
 * Empty: all of them.
 */
export function errorsBelow(errors: ActionErrors, path: string): ActionErrors {
  if (path === "") return errors;
  const start = `${path}.`;
  return new Map(
    [...errors].flatMap(([at, found]) =>
      at.startsWith(start) ? [[at.slice(start.length), found] as const] : [],
    ),
  );
}

/**
 * The errors of a step's preview, with paths below `path`. Errors of the action's filter keep their
 * path.
 */
export function placeErrors(
  preview: CommandResult<Preview> | undefined,
  path: string,
): CommandResult<Preview> | undefined {
  if (preview === undefined || path === "") return preview;
  const place = (error: FieldError): FieldError =>
    /^filter\b/.test(error.path) ? error : { ...error, path: `${path}.${error.path}` };
  if (!preview.ok) return { ...preview, errors: preview.errors.map(place) };
  return { ok: true, value: { errors: preview.value.errors.map(place) } };
}

/** The errors of exactly this field. */
export function errorsAt(errors: ActionErrors, path: string): readonly FieldError[] {
  return errors.get(path) ?? [];
}

/** The errors of a field as text. */
export function textsAt(errors: ActionErrors, path: string): readonly string[] {
  return errorsAt(errors, path).map(describeFieldError);
}

/** The errors of a field and everything in it, as text. */
export function textsUnder(errors: ActionErrors, path: string): readonly string[] {
  return listUnder(errors, path).map(describeFieldError);
}

/** The errors of a field and everything in it, as text with the path. */
export function namedTextsUnder(errors: ActionErrors, path: string): readonly string[] {
  return listUnder(errors, path).map((error) => {
    const rest = error.path.slice(path.length).replace(/^\./, "");
    return rest === "" ? describeFieldError(error) : `${rest}: ${describeFieldError(error)}`;
  });
}

function listUnder(errors: ActionErrors, path: string): readonly FieldError[] {
  return [...errors].flatMap(([at, found]) =>
    at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`) ? found : [],
  );
}

/** The errors of a body typed as JSON, with line and column of the value in that text. */
export function errorsInJson(
  errors: ActionErrors,
  path: string,
  json: string,
): readonly FieldError[] {
  const starts = new Map<string, number>();
  findJsonFault(json, (at, index) => starts.set(at, index), path);
  return [...errors].flatMap(([at, found]) => {
    const start = starts.get(at);
    if (start === undefined) return at === path ? found : [];
    return found.map((error) => atValue(json, start, error));
  });
}

/** A position inside a string counts from after its opening quote. */
function atValue(json: string, start: number, error: FieldError): FieldError {
  const { code, line, column = 1 } = error;
  // The body's own error already says where the JSON is invalid.
  if (code === "invalid_json" || (line ?? 1) > 1) return error;
  return { ...error, ...placeOf(json, line === undefined ? start : start + column) };
}
