/** A destination, as exchanged by the API, the form, and the database. */
import { z } from "zod";
import { actionOptions } from "#lib/schema/act/action-options.ts";
import { credentialId } from "#lib/schema/act/request-auth.ts";
import { breakerSchema } from "#lib/schema/field/breaker.ts";
import { displayName } from "#lib/schema/field/common.ts";
import { rateLimitSchema } from "#lib/schema/field/rate-limit.ts";
import { origin } from "./credential.ts";

const { min, max } = actionOptions.maxConcurrency;

const destinationName = displayName.describe("The name in lists and in the editor of actions");

const limits = {
  /** The credential for calls without their own. It must have the same origin. */
  credentialId: credentialId.nullable(),
  /** The limit for all workers and all actions that use the destination. */
  maxConcurrency: z
    .int()
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .nullable(),
  rateLimit: rateLimitSchema.nullable(),
  breaker: breakerSchema.nullable(),
};

/** `POST /destinations`. */
export const destinationInputSchema = z.strictObject({
  name: destinationName,
  origin,
  credentialId: limits.credentialId.default(null),
  maxConcurrency: limits.maxConcurrency.default(null),
  rateLimit: limits.rateLimit.default(null),
  breaker: limits.breaker.default(null),
});
export type DestinationInput = z.output<typeof destinationInputSchema>;

/** `PATCH /destinations/{id}`. */
export const destinationPatchSchema = z.strictObject({
  name: destinationName.optional(),
  origin: origin.optional(),
  credentialId: limits.credentialId.optional(),
  maxConcurrency: limits.maxConcurrency.optional(),
  rateLimit: limits.rateLimit.optional(),
  breaker: limits.breaker.optional(),
});
export type DestinationPatch = z.output<typeof destinationPatchSchema>;
