/** Rows that a person has selected in a list. */
import { z } from "zod";
import { isDistinct, recordId } from "#lib/schema/field/common.ts";

/** A filter that finds only these rows, by their ids with commas between them. */
export const listedIds = z
  .string()
  .regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,99}$/, "must be up to 100 ids, with commas between")
  .transform((text) => text.split(","));

/** The maximum number of rows that are changed one after the other. */
const maxSelected = 200;

export const selectedSchema = z.strictObject({
  ids: z
    .array(recordId)
    .min(1, "must name at least one")
    .max(maxSelected, `at most ${maxSelected}`)
    .refine(...isDistinct("names one twice"))
    .readonly(),
});

/** The outcome for selected rows. */
export type ChangedRows = {
  readonly changed: number;
  /** Those that couldn't be changed, with the reason. */
  readonly leftOut: readonly { readonly id: string; readonly detail: string }[];
};
