/** A plan for a configuration in files, as exchanged by the API. */
import { z } from "zod";
import { maxApiBodyBytes } from "#lib/schema/field/max-api-body.ts";

const fileSchema = z.strictObject({
  path: z
    .string()
    .regex(/^[^\p{C}]{1,200}$/u, "must have 1 to 200 characters, and no control characters")
    .describe("Its name, which errors show with the line"),
  text: z
    .string()
    .max(maxApiBodyBytes, `must have at most ${maxApiBodyBytes} characters`)
    .describe("Its content: YAML or JSON"),
});
export type ConfigurationFile = z.output<typeof fileSchema>;

const defaultPrunePercent = 20;

export const planInputSchema = z.strictObject({
  files: z
    .array(fileSchema)
    .min(1, "must have at least 1 file")
    .max(100, "must have at most 100 files")
    .describe("All files of the configuration. Their lists count as one"),
  prune: z
    .boolean({ error: "must be true or false" })
    .default(false)
    .describe("Deletes what has the mark of the files and isn't in them any more"),
  maxPrunePercent: z
    .int("must be a whole number")
    .min(0, "must be 0 or more")
    .max(100, "must be 100 or less")
    .default(defaultPrunePercent)
    .describe("How much of what has the mark may be deleted"),
});
export type PlanInput = z.output<typeof planInputSchema>;

export const applyInputSchema = planInputSchema.extend({
  planId: z
    .string()
    .min(1, "must not be empty")
    .max(500, "must have at most 500 characters")
    .describe("Of the plan of the same files"),
});
