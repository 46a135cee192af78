/** Actions that are copied to another hook, directly or as a document. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { displayName, isObjectValue } from "#lib/schema/field/common.ts";
import { actionContentSchema } from "./action.ts";
import { versionAuthsSchema } from "./version.ts";

/** Marks a document as an exported action. The number changes with the format. */
export const exportFormat = "catchment.action/1";

/** `POST /actions/{id}/duplicate`. Omitted: the same hook, and the name with "(copy)". */
export const duplicateSchema = z.strictObject({
  hookId: z
    .string()
    .max(64)
    .optional()
    .describe("The hook that gets the copy. Omitted: the same one"),
  name: displayName
    .optional()
    .describe('The name of the copy. Omitted: the action\'s, with "(copy)"'),
});
export type DuplicateInput = z.infer<typeof duplicateSchema>;

const { request, steps, ...rest } = actionContentSchema.shape;

/** `POST /hooks/{id}/actions/import`: the document that the export returns. */
export const actionImportSchema = z
  .strictObject({
    format: z
      .literal(exportFormat, {
        error: `must be "${exportFormat}": the document isn't an action exported by Catchment`,
      })
      .describe("Marks the document as an exported action"),
    name: displayName.describe("The name of the new action"),
    ...rest,
    request: request.default(null).describe("The only call of the action. It has this or `steps`"),
    steps: steps.default(null),
    credentials: versionAuthsSchema
      .default({})
      .describe(
        "The kinds of the exported action's credentials, by the key of the call. The document has no secrets",
      ),
  })
  .superRefine(
    (input, ctx) => {
      const isOne = (input.request === null) !== (input.steps === null);
      const rule = brokenRule("conflict", "one of request and steps must be there, not both");
      if (!isOne) ctx.addIssue({ code: "custom", path: ["request"], ...rule });
    },
    { when: isObjectValue },
  );

export const maxImportBytes = 1024 * 1024;

/** An imported action. It is disabled, and lists what is still missing. */
export type Imported = {
  readonly id: string;
  /** The keys of calls whose credentials must be entered. */
  readonly missingCredentials: readonly string[];
  /** The keys of calls whose destination doesn't exist here. They use their URL. */
  readonly missingDestinations: readonly string[];
};
