/** A person who is forgotten, as exchanged by the form, the API, and the database. */
import { z } from "zod";
import { pageFields } from "#lib/schema/field/common.ts";
import { erasureModes, maxErasedChars, maxErasedValues, minErasedChars } from "./erasure-places.ts";

const value = z
  .string()
  .trim()
  .min(minErasedChars, `must have at least ${minErasedChars} characters`)
  .max(maxErasedChars, `must have at most ${maxErasedChars} characters`)
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
    .max(maxErasedValues, `must contain at most ${maxErasedValues}`)
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
  laterArrivals: z
    .boolean()
    .default(false)
    .describe(
      "`true` leaves a rule for each value at the end, which starts an erasure when the value arrives again. " +
        "A dry run leaves none",
    ),
});

export const erasureQuerySchema = z.strictObject(pageFields);
