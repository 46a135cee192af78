import type { CommandResult } from "#lib/schema/command-result.ts";
import type { RequestPreviewView } from "./request-preview.tsx";

/** By the field's path, as the API names it: `request.url`, `request.headers.X-Id`. */
export type ActionErrors = ReadonlyMap<string, readonly string[]>;

/** What a refused save said comes first; else what the preview says of the fields that have something in them. */
export function listErrors(
  saved: CommandResult<null> | undefined,
  preview: CommandResult<RequestPreviewView> | undefined,
): ActionErrors {
  const errors = new Map<string, string[]>();
  for (const { path, message } of listAll(saved, preview)) {
    const known = errors.get(path) ?? [];
    if (!known.includes(message)) errors.set(path, [...known, message]);
  }
  return errors;
}

function listAll(
  saved: CommandResult<null> | undefined,
  preview: CommandResult<RequestPreviewView> | undefined,
): readonly { readonly path: string; readonly message: string }[] {
  if (saved?.ok === false) return toList(saved.fields);
  if (preview?.ok === false)
    return toList(preview.fields).filter(({ message }) => !/must not be empty/.test(message));
  if (preview === undefined || preview.value.ok) return [];
  return preview.value.errors ?? [];
}

function toList(fields: Readonly<Record<string, string>>) {
  return Object.entries(fields).map(([path, message]) => ({ path, message }));
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
