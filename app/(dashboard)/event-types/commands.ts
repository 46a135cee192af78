"use server";

import { revalidatePath } from "next/cache";
import type { ImportedTypes } from "#components/event-types/event-type-import.tsx";
import { deleteEventType, putEventTypes } from "#lib/db/event-types/event-types.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  catalogTypeName,
  eventTypeImportSchema,
  eventTypeName,
  eventTypeSchema,
} from "#lib/schema/sender/event-type.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { exactJson } from "#lib/web/request/exact-json.ts";
import { readEventTypes, requireUsableSchema } from "#lib/web/services/check-event-schema.ts";

const saveJson = exactJson(eventTypeSchema.extend({ name: catalogTypeName }));

export async function saveEventTypeCommand(json: string): Promise<CommandResult<null>> {
  return await runFormCommand(saveJson, json, async (type, { accountId }, { db }) => {
    await requireUsableSchema(accountId, type.schema);
    await putEventTypes(db, accountId, [type]);
    revalidatePath("/event-types", "layout");
    return null;
  });
}

export async function deleteEventTypeCommand(name: string): Promise<CommandResult<null>> {
  return await runFormCommand(eventTypeName, name, async (deleted, { accountId }, { db }) => {
    await deleteEventType(db, accountId, deleted);
    revalidatePath("/event-types", "layout");
    return null;
  });
}

/** Replaces what has the same name. */
export async function importEventTypesCommand(
  document: string,
): Promise<CommandResult<ImportedTypes>> {
  const input = { document };
  return await runFormCommand(
    eventTypeImportSchema,
    input,
    async (given, { accountId }, { db }) => {
      const { entries, skipped } = await readEventTypes(accountId, given.document);
      await putEventTypes(db, accountId, entries);
      revalidatePath("/event-types", "layout");
      return { imported: entries.map(({ name }) => name), skipped };
    },
  );
}
