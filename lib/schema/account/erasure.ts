/** A person who is forgotten, as exchanged by the form, the API, and the database. */
import { z } from "zod";
import { pageFields } from "#lib/schema/field/common.ts";
import { erasureModes } from "./erasure-places.ts";

/** A value of fewer characters is in too much that is about others. */
const minValueChars = 4;
const maxValueChars = 254;
const maxValues = 20;

const value = z
  .string()
  .trim()
  .min(minValueChars, `must have at least ${minValueChars} characters`)
  .max(maxValueChars, `must have at most ${maxValueChars} characters`)
  .refine(
    (text) => !/[\p{Cc}]/u.test(text),
    "must not contain line breaks or other control characters",
  )
  .refine(
    (text) => !"[erased]".includes(text.toLowerCase()),
    "is a part of the mark that takes its place",
  );

export const erasureSchema = z.strictObject({
  values: z
    .array(value)
    .min(1, "must contain at least one")
    .max(maxValues, `must contain at most ${maxValues}`)
    .describe(
      "What names the person, such as an email address and an id. Each is found as a whole, in any case",
    ),
  mode: z
    .enum(erasureModes)
    .default("redact")
    .describe(
      "`redact` puts `[erased]` in place of each value. `delete` removes the deliveries and events that contain one, " +
        "with their runs, and redacts it elsewhere",
    ),
  dryRun: z.boolean().default(true).describe("`true` only counts, and changes nothing"),
});

export const erasureQuerySchema = z.strictObject(pageFields);
