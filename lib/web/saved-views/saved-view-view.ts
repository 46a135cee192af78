import { z } from "zod";
import type { SavedViewRecord } from "#lib/db/accounts/saved-views.ts";
import { viewLists } from "#lib/schema/saved-view.ts";
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
