import { z } from "zod";
import { viewLists } from "#lib/schema/account/saved-view.ts";
import {
  createSavedView,
  deleteSavedView,
  getSavedView,
  listSavedViews,
  type SavedViewRecord,
  setDefaultView,
  updateSavedView,
} from "#lib/services/saved-views.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView, view } from "#lib/web/route/view.ts";

const savedViewSchema = z
  .object({
    id: z.string(),
    list: z.enum(viewLists),
    name: z.string(),
    params: z.record(z.string(), z.string()).describe("The parameters of the list's URL by name"),
    isDefault: z.boolean().describe("The menu opens its list with it"),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "SavedView" });

/** A saved view in the API's responses. */
const savedViewView = view(savedViewSchema, (saved: SavedViewRecord) => saved);

export const savedViewRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/saved-views",
    operationId: "createSavedView",
    summary: "Save a view",
    description: "409 if the list has one with this name.",
    service: createSavedView,
    status: 201,
    view: savedViewView,
    example: { list: "deliveries", name: "Failed today", params: { runs: "failed", since: "24h" } },
  }),
  route({
    method: "GET",
    path: "/saved-views",
    operationId: "listSavedViews",
    summary: "List saved views",
    description: "Newest first. `?list=` is `deliveries` or `runs`.",
    service: listSavedViews,
    view: pageView(savedViewView),
  }),
  route({
    method: "GET",
    path: "/saved-views/{id}",
    operationId: "getSavedView",
    summary: "Get a saved view",
    service: getSavedView,
    view: savedViewView,
  }),
  route({
    method: "PATCH",
    path: "/saved-views/{id}",
    operationId: "updateSavedView",
    summary: "Change a saved view",
    description: "`params` is replaced as a whole. The list never changes.",
    service: updateSavedView,
    view: savedViewView,
    example: { name: "Failed in the last 24 hours" },
  }),
  route({
    method: "PUT",
    path: "/saved-views/{id}/default",
    operationId: "setDefaultView",
    summary: "Choose the default view",
    description: "With `true`, the menu opens its list with this view, for everyone.",
    service: setDefaultView,
    view: savedViewView,
    example: { isDefault: true },
  }),
  route({
    method: "DELETE",
    path: "/saved-views/{id}",
    operationId: "deleteSavedView",
    summary: "Delete a saved view",
    service: deleteSavedView,
    view: null,
  }),
];
