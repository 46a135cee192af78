"use server";

import { revalidatePath } from "next/cache";
import { deleteEventType, putEventTypes } from "#lib/db/event-types/event-types.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { eventTypeName, eventTypeSchema } from "#lib/schema/sender/event-type.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { exactJson } from "#lib/web/request/exact-json.ts";

const saveJson = exactJson(eventTypeSchema.extend({ name: eventTypeName }));

export async function saveEventTypeCommand(json: string): Promise<CommandResult<null>> {
  return await runFormCommand(saveJson, json, async (type, { accountId }, { db }) => {
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
