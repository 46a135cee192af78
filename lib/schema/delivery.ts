/** What is asked of deliveries. */
import { z } from "zod";
import { filterText, instant, pageFields } from "./common.ts";

/**
 * `pending`: kept unverified, because its hook had no secret yet. `handshake`: the sender made sure of the URL. `batch`: it held several
 * events, each of which is a delivery of its own.
 */
export const deliveryStatuses = [
  "accepted",
  "duplicate",
  "rejected",
  "pending",
  "handshake",
  "batch",
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Whether actions may run on it: it was verified where its hook verifies, and it is an event. */
export function isReplayable(status: DeliveryStatus): boolean {
  return status === "accepted" || status === "duplicate";
}

/** `GET /deliveries?…`; `from` is inclusive, `to` is not. */
export const deliveryQuerySchema = z
  .strictObject({
    ...pageFields,
    hookId: z.string().max(64).optional(),
    status: z.enum(deliveryStatuses, { error: `must be one of ${deliveryStatuses.join(", ")}` }).optional(),
    eventType: filterText.optional(),
    eventId: filterText.optional(),
    /** The events that came in one request. */
    batchId: z.string().max(64, "must be a delivery's id").optional(),
    /** Contained in event id, type, path, reason or the first 16 KiB of the body. */
    q: filterText.optional(),
    from: instant.optional(),
    to: instant.optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ["to"],
    message: "must be after from",
  });

/** `POST /deliveries/{id}/replay`. Without ids: every enabled action of the hook. */
export const replaySchema = z.strictObject({
  actionIds: z
    .array(z.string({ error: "must be an action's id" }).max(64, "is not an id"))
    .min(1, "must name at least one action")
    .max(100, "at most 100 actions")
    .refine((ids) => new Set(ids).size === ids.length, "names an action twice")
    .optional(),
});
export type Replay = z.output<typeof replaySchema>;
