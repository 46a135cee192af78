"use server";

import type { ImportedTypes } from "#components/event-types/event-type-import.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { deleteEventType, importEventTypes, putEventType } from "#lib/services/event-types.ts";
import { changeByJson, changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function saveEventTypeCommand(json: string): Promise<CommandResult<null>> {
  return await changeByJson(putEventType, { json }, nothing);
}

export async function deleteEventTypeCommand(name: string): Promise<CommandResult<null>> {
  return await changeByService(deleteEventType, { name }, nothing);
}

/** Imports event types. Entries with the same name are replaced. */
export async function importEventTypesCommand(
  document: string,
): Promise<CommandResult<ImportedTypes>> {
  return await changeByService(importEventTypes, { document }, (imported) => imported);
}
