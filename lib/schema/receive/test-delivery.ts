/** `POST /hooks/{id}/test`: sends a sample event like the hook's provider. */
import { z } from "zod";

export const testDeliverySchema = z.strictObject({
  /** The provider's name for the event type. Default: the most common one. */
  eventType: z
    .string({ error: "must be one of the provider's event types" })
    .min(1, "must not be empty; omit it for the most common one")
    .max(200, "must have at most 200 characters")
    .optional(),
});
