/** A webhook that Catchment keeps registered at a hook's provider. */
import { z } from "zod";
import { recordId } from "#lib/schema/field/common.ts";

/**
 * `connecting` until it is there for the first time. `missing`: someone deleted it there. `failing`: it can't be kept,
 * and the reason says why. `removing` until it is gone.
 */
export const registrationStatuses = [
  "connecting",
  "registered",
  "missing",
  "failing",
  "removing",
] as const;
export type RegistrationStatus = (typeof registrationStatuses)[number];

export const recreateRules = ["ask", "always"] as const;
export type RecreateRule = (typeof recreateRules)[number];

const eventType = z
  .string("must be text")
  .trim()
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters");

/** `POST /hooks/{id}/registration`. */
export const registerSchema = z.strictObject({
  credentialId: recordId
    .optional()
    .describe(
      "The saved credential for the provider's API. Omitted: the one that this registration has",
    ),
  eventTypes: z
    .array(eventType, "must be a list of event types")
    .min(1, "must name at least one type")
    .max(500, "must name at most 500 types")
    .describe("The types to register for, as the provider writes them"),
  resource: z
    .string("must be text")
    .trim()
    .max(500, "must have at most 500 characters")
    .optional()
    .describe("What the webhook belongs to at the provider, such as a repository, if it needs one"),
  recreate: z
    .enum(recreateRules, { error: "must be ask or always" })
    .optional()
    .describe(
      "Whether it is registered again by itself after someone deleted it at the provider. Default: `ask`",
    ),
});

/** `DELETE /hooks/{id}/registration`. */
export const removeRegistrationSchema = z.strictObject({
  keep: z
    .boolean("must be true or false")
    .optional()
    .describe("True: the provider keeps its webhook, and Catchment only forgets it"),
});
