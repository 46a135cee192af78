/** Queries and commands for published events. */
import { z } from "zod";
import {
  filterText,
  instant,
  isDistinct,
  isInOrder,
  pageFields,
} from "#lib/schema/field/common.ts";

/** `GET /events?…`; `from` is inclusive, `to` is not. */
export const eventQuerySchema = z
  .strictObject({
    ...pageFields,
    type: filterText.optional().describe("Only events of this type"),
    recipient: filterText.optional().describe("Only events for this recipient"),
    from: instant.optional(),
    to: instant.optional(),
    q: filterText.optional().describe("Text in the id, the type, or the first 16 KiB of the body"),
  })
  .refine(...isInOrder());
export type EventQuery = z.output<typeof eventQuerySchema>;

/** `POST /events/{id}/resend`. Without ids: every active subscription that matches now. */
export const resendSchema = z.strictObject({
  subscriptionIds: z
    .array(z.string({ error: "must be a subscription's id" }).max(64, "is not an id"))
    .min(1, "must name at least one subscription")
    .max(100, "at most 100 subscriptions")
    .refine(...isDistinct("names a subscription twice"))
    .optional()
    .describe("The subscriptions that get it. Omitted: every active one that matches now"),
  onlyFailed: z
    .boolean({ error: "must be true or false" })
    .default(false)
    .describe("Only subscriptions whose newest send of this event failed"),
});
export type Resend = z.output<typeof resendSchema>;
