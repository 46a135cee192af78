"use server";

import {
  checkEventTypeVersion,
  createEventTypeVersion,
  updateEventTypeVersion,
} from "#lib/services/event-type-versions.ts";
import { deleteEventType, importEventTypes, putEventType } from "#lib/services/event-types.ts";
import { ask, change, form, json } from "#lib/web/auth/run-service.ts";

export const saveEventTypeCommand = change(putEventType, [json]);
export const deleteEventTypeCommand = change(deleteEventType, ["name"]);
/** Imports event types. Entries with the same name are replaced. */
export const importEventTypesCommand = change(
  importEventTypes,
  ["document"],
  (imported) => imported,
);
/** Says what publishing a version would do. */
export const checkVersionCommand = ask(checkEventTypeVersion, ["name", json]);
export const publishVersionCommand = change(createEventTypeVersion, ["name", json]);
export const changeVersionCommand = change(updateEventTypeVersion, ["name", "version", form]);
