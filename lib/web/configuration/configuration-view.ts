import { z } from "zod";
import type { ConfigurationPlan } from "#lib/services/configuration/plan-configuration.ts";
import { pick, view } from "#lib/web/route/view.ts";

const changeSchema = z
  .object({
    path: z.string().describe("Such as `request.url`"),
    from: z
      .string()
      .nullable()
      .describe("JSON, of at most 1,000 characters. Null: it wasn't there, or is secret"),
    to: z.string().nullable().describe("JSON. Null: it will not be there, or is secret"),
    isSecret: z.boolean().describe("It changes, and no one can read to what"),
  })
  .meta({ id: "ConfigurationChange" });

const differenceSchema = z
  .object({
    op: z.enum(["add", "change", "delete"]),
    kind: z.string().describe("Such as `hook`"),
    what: z.string().describe('In words, such as `hook "Orders"`'),
    changes: z.array(changeSchema).readonly().describe("The fields that change"),
  })
  .meta({ id: "ConfigurationDifference" });

const outsideSchema = z
  .object({
    kind: z.string().describe("Such as `hook`"),
    what: z.string().describe('In words, such as `hook "Orders"`'),
    at: z.date().describe("When it was last changed"),
    by: z.string().describe("Who last changed it"),
    fields: z
      .array(z.string())
      .readonly()
      .describe("What was changed, as the audit log names it. Empty: the log says no more"),
    isDeleted: z.boolean(),
    isUndone: z.boolean().describe("Apply undoes it, because the files say something else"),
  })
  .meta({ id: "ConfigurationOutsideChange" });

const planSchema = z
  .object({
    planId: z.string().describe("What apply has to be called with"),
    items: z.array(differenceSchema).readonly().describe("What differs. Empty: nothing"),
    sameCount: z.int().describe("How much is in the files and the same in the account"),
    keptCount: z.int().describe("How much is only in the account, and stays"),
    adoptedCount: z.int().describe("How much gets the mark of the files"),
    prunedCount: z.int().describe("How much of what has the mark is deleted"),
    changedOutside: z
      .array(outsideSchema)
      .readonly()
      .describe(
        "What has the mark and was changed since its files were last applied, such as in the dashboard",
      ),
    toDo: z.array(z.string()).readonly().describe("What a person has to do afterwards"),
  })
  .meta({ id: "ConfigurationPlan" });

export const planView = view(planSchema, (plan: ConfigurationPlan) => pick(planSchema, plan));

/** Its fields are in the JSON Schema. */
export const configurationView = z
  .looseObject({ format: z.string().describe("`catchment.configuration/1`") })
  .describe("Its fields are described by `/api/v1/configuration.schema.json`")
  .meta({ id: "Configuration" });
