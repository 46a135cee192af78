"use server";

import { pickViewParams, type ViewList, type ViewParams } from "#lib/schema/account/saved-view.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { createSavedView, deleteSavedView, updateSavedView } from "#lib/services/saved-views.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

/** Saves what a list shows, by the parameters of its URL. */
export async function saveViewCommand(
  list: ViewList,
  name: string,
  params: ViewParams,
): Promise<CommandResult<null>> {
  const kept = pickViewParams(list, params);
  return await changeByService(createSavedView, { list, name, params: kept }, nothing);
}

/** Replaces what a view shows. */
export async function replaceViewCommand(
  list: ViewList,
  id: string,
  params: ViewParams,
): Promise<CommandResult<null>> {
  const kept = pickViewParams(list, params);
  return await changeByService(updateSavedView, { id, params: kept }, nothing);
}

export async function renameViewCommand(id: string, name: string): Promise<CommandResult<null>> {
  return await changeByService(updateSavedView, { id, name }, nothing);
}

export async function deleteViewCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(deleteSavedView, { id }, nothing);
}
