/** `POST /hooks/{id}/test`: a sample event of the hook's sender, sent as that sender would send it. */
import { z } from "zod";

export const testDeliverySchema = z.strictObject({
  /** As the sender calls it. Left out: the most usual one. */
  eventType: z
    .string({ error: "must be the type of an event, as the sender calls it" })
    .min(1, "must not be empty; leave it out for the most usual one")
    .max(200, "must have at most 200 characters")
    .optional(),
});
export type TestDeliveryInput = z.output<typeof testDeliverySchema>;
