import { z } from "zod";
import { rateLimitSchema } from "#lib/schema/field/rate-limit.ts";
import type { DestinationRecord } from "#lib/services/destinations.ts";
import { pick, view } from "#lib/web/route/view.ts";

/** The breaker of a destination or an action. Nothing is left to its defaults. */
export const shownBreaker = z
  .object({
    failures: z.int(),
    windowSeconds: z.int(),
    openSeconds: z.int(),
  })
  .meta({ id: "ShownBreaker" });

const destinationSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    origin: z.string(),
    credentialId: z.string().nullable(),
    maxConcurrency: z.int().nullable(),
    rateLimit: rateLimitSchema.nullable(),
    breaker: shownBreaker.nullable(),
    usedBy: z.object({ actions: z.int() }).describe("How many"),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "Destination" });

/** A destination in the API's responses. */
export const destinationView = view(destinationSchema, (destination: DestinationRecord) =>
  pick(destinationSchema, { ...destination, usedBy: { actions: destination.actionCount } }),
);
