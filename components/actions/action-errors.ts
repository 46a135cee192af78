import { findJsonFault, placeOf } from "#lib/core/json/scan-json.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { FieldError } from "#lib/schema/field-error.ts";
import type { RequestPreviewView } from "./request-preview.tsx";

/** By the field's path, as the API names it: `request.url`, `request.headers.X-Id`. */
export type ActionErrors = ReadonlyMap<string, readonly string[]>;

/** What a refused save said comes first; else what the preview says of the fields that have something in them. */
export function listErrors(
  saved: CommandResult<unknown> | undefined,
  preview: CommandResult<RequestPreviewView> | undefined,
): ActionErrors {
  const errors = new Map<string, string[]>();
  for (const problem of listAll(saved, preview)) {
    const known = errors.get(problem.path) ?? [];
    const message = withPlace(problem);
    if (!known.includes(message)) errors.set(problem.path, [...known, message]);
  }
  return errors;
}

function listAll(
  saved: CommandResult<unknown> | undefined,
  preview: CommandResult<RequestPreviewView> | undefined,
): readonly FieldError[] {
  if (saved?.ok === false) return toList(saved.fields);
  if (preview?.ok === false)
    return toList(preview.fields).filter(({ message }) => !/must not be empty/.test(message));
  return preview?.value.errors ?? [];
}

function toList(fields: Readonly<Record<string, string>>): readonly FieldError[] {
  return Object.entries(fields).map(([path, message]) => ({ path, message }));
}

function withPlace({ message, line, column }: FieldError): string {
  return line === undefined ? message : `line ${line}, column ${column ?? 1}: ${message}`;
}

/** Of exactly this field. */
export function errorsAt(errors: ActionErrors, path: string): readonly string[] {
  return errors.get(path) ?? [];
}

/** Of a field and everything in it, with the way there. */
export function errorsUnder(errors: ActionErrors, path: string): readonly string[] {
  return [...errors].flatMap(([at, messages]) => {
    if (at === path) return messages;
    if (!at.startsWith(`${path}.`) && !at.startsWith(`${path}[`)) return [];
    const rest = at.slice(path.length).replace(/^\./, "");
    return messages.map((message) => `${rest}: ${message}`);
  });
}

/** Of a body that is typed as JSON: by line and column of that text, where the value stands that they are about. */
export function errorsInJson(errors: ActionErrors, path: string, json: string): readonly string[] {
  const starts = new Map<string, number>();
  findJsonFault(json, (at, index) => starts.set(at, index), path);
  return [...errors].flatMap(([at, messages]) => {
    const start = starts.get(at);
    if (start === undefined) return at === path ? messages : [];
    return messages.map((message) => atValue(json, start, message));
  });
}

/** A place in the value's own text counts from behind its opening quote. */
function atValue(json: string, start: number, message: string): string {
  const own = /^line 1, column (\d+): (.*)$/s.exec(message);
  // The text as a whole already says where it breaks.
  if (own === null && /^line \d+, column \d+: /.test(message)) return message;
  const { line, column } = placeOf(json, own === null ? start : start + Number(own[1]));
  return `line ${line}, column ${column}: ${own?.[2] ?? message}`;
}
