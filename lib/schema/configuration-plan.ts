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
    .describe("The `planId` of the plan of the same files"),
});

/** Kinds of things that can have a mark, in the order in which they can be deleted. */
export const markedKinds = [
  "alert rule",
  "alert channel",
  "subscription",
  "recipient",
  "event type",
  "action",
  "hook",
  "destination",
  "credential",
] as const;
export type MarkedKind = (typeof markedKinds)[number];

const itemId = z
  .string()
  .min(1, "must not be empty")
  .max(300, "must have at most 300 characters")
  .describe("Its id, or the name of an event type");

const kind = z
  .enum(markedKinds, { error: `must be one of ${markedKinds.join(", ")}` })
  .describe("Such as `hook`");

/** Something that files can manage. */
export const configuredItemSchema = z.strictObject({ kind, id: itemId });

/** `GET /configuration?…`. */
export const exportInputSchema = z
  .strictObject({
    kind: kind.optional().describe("With `id`: only this thing. An action with its hook"),
    id: itemId.optional(),
  })
  .refine((input) => (input.kind === undefined) === (input.id === undefined), {
    error: "kind and id belong together",
  });

/** Where editors find the JSON Schema of files, below the public URL. */
export const configurationSchemaPath = "/api/v1/configuration.schema.json";
