import { z } from "zod";
import { viewLists } from "#lib/schema/account/saved-view.ts";
import type { SavedViewRecord } from "#lib/services/saved-views.ts";
import { view } from "#lib/web/route/view.ts";

const savedViewSchema = z
  .object({
    id: z.string(),
    list: z.enum(viewLists),
    name: z.string(),
    params: z.record(z.string(), z.string()).describe("The parameters of the list's URL by name"),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "SavedView" });

/** A saved view in the API's responses. */
export const savedViewView = view(savedViewSchema, (saved: SavedViewRecord) => saved);
