"use server";

import { deleteEventType, importEventTypes, putEventType } from "#lib/services/event-types.ts";
import { change, json } from "#lib/web/auth/run-service.ts";

export const saveEventTypeCommand = change(putEventType, [json]);
export const deleteEventTypeCommand = change(deleteEventType, ["name"]);
/** Imports event types. Entries with the same name are replaced. */
export const importEventTypesCommand = change(
  importEventTypes,
  ["document"],
  (imported) => imported,
);
