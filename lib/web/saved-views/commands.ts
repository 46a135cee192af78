"use server";

import { pickViewParams, type ViewList, type ViewParams } from "#lib/schema/account/saved-view.ts";
import {
  createSavedView,
  deleteSavedView,
  restoreSavedView,
  setDefaultView,
  updateSavedView,
} from "#lib/services/saved-views.ts";
import { change } from "#lib/web/auth/run-service.ts";

const save = change(createSavedView, ["list", "name", "params"]);
const replace = change(updateSavedView, ["id", "params"]);

/** Saves what a list shows, by the parameters of its URL. */
export async function saveViewCommand(list: ViewList, name: string, params: ViewParams) {
  return await save(list, name, pickViewParams(list, params));
}

/** Replaces what a view shows. */
export async function replaceViewCommand(list: ViewList, id: string, params: ViewParams) {
  return await replace(id, pickViewParams(list, params));
}

export const renameViewCommand = change(updateSavedView, ["id", "name"]);
export const setDefaultViewCommand = change(setDefaultView, ["id", "isDefault"]);
export const deleteViewCommand = change(deleteSavedView, ["id"]);
export const restoreViewCommand = change(restoreSavedView, ["id"]);
