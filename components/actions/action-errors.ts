import { findJsonFault, placeOf } from "#lib/core/json/scan-json.ts";
import type { CommandResult, FieldError } from "#lib/schema/command-result.ts";
import type { RequestPreviewView } from "./request-preview.tsx";

/** By field path, as in the API: `request.url`, `request.headers.X-Id`. */
export type ActionErrors = ReadonlyMap<string, readonly string[]>;

/** The errors of a failed save first, then those of the preview for fields that aren't empty. */
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

/** For exactly this field. */
export function errorsAt(errors: ActionErrors, path: string): readonly string[] {
  return errors.get(path) ?? [];
}

/** For a field and everything in it, with their paths. */
export function errorsUnder(errors: ActionErrors, path: string): readonly string[] {
  return [...errors].flatMap(([at, messages]) => {
    if (at === path) return messages;
    if (!at.startsWith(`${path}.`) && !at.startsWith(`${path}[`)) return [];
    const rest = at.slice(path.length).replace(/^\./, "");
    return messages.map((message) => `${rest}: ${message}`);
  });
}

/** For a body typed as JSON: with line and column of the value in that text. */
export function errorsInJson(errors: ActionErrors, path: string, json: string): readonly string[] {
  const starts = new Map<string, number>();
  findJsonFault(json, (at, index) => starts.set(at, index), path);
  return [...errors].flatMap(([at, messages]) => {
    const start = starts.get(at);
    if (start === undefined) return at === path ? messages : [];
    return messages.map((message) => atValue(json, start, message));
  });
}

/** A position inside a string counts from after its opening quote. */
function atValue(json: string, start: number, message: string): string {
  const own = /^line 1, column (\d+): (.*)$/s.exec(message);
  // The body's own error already says where the JSON is invalid.
  if (own === null && /^line \d+, column \d+: /.test(message)) return message;
  const { line, column } = placeOf(json, own === null ? start : start + Number(own[1]));
  return `line ${line}, column ${column}: ${own?.[2] ?? message}`;
}
