"use server";

import { type DuplicateInput, type Imported, maxImportBytes } from "#lib/schema/act/transfer.ts";
import { type CommandResult, reject } from "#lib/schema/field/command-result.ts";
import { duplicateAction, importAction } from "#lib/services/actions/copy-actions.ts";
import { changeByJson, changeByService } from "#lib/web/auth/run-service.ts";

/** Duplicates an action. Returns the id of the copy. */
export async function duplicateActionCommand(
  actionId: string,
  input: DuplicateInput,
): Promise<CommandResult<string>> {
  return await changeByService(duplicateAction, { ...input, id: actionId }, ({ id }) => id);
}

export async function importActionCommand(
  hookId: string,
  document: string,
): Promise<CommandResult<Imported>> {
  if (document.length > maxImportBytes) return reject("The document must have at most 1 MiB.");
  const input = { json: document, fields: { id: hookId } };
  return await changeByJson(importAction, input, ({ action, ...missing }) => ({
    id: action.id,
    ...missing,
  }));
}
