/** Queries for deliveries. */
import { z } from "zod";
import { filterText, instant, pageFields } from "./common.ts";

/**
 * `pending`: kept unverified, because its hook had no secret yet. `handshake`: the provider made sure
 * of the URL. `batch`: it held several events, each of which is a delivery of its own.
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

const filterFields = {
  hookId: z.string().max(64).optional(),
  eventType: filterText.optional(),
  eventId: filterText.optional(),
  /** Contained in event id, type, path, reason or the first 16 KiB of the body. */
  q: filterText.optional(),
  from: instant.optional(),
  to: instant.optional(),
};

const isInOrder = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from < to;
const outOfOrder = { path: ["to"], message: "must be after from" };

/** `POST /deliveries/accept`. */
export const bulkAcceptSchema = z.strictObject({
  filter: z
    .strictObject({
      ...filterFields,
      status: z.literal("rejected", { error: 'must be "rejected"' }),
      isSample: z.boolean({ error: "must be true or false" }).optional(),
    })
    .refine(isInOrder, outOfOrder),
});

/** Which rejected deliveries a job is about. */
export type RejectedFilter = Omit<z.output<typeof bulkAcceptSchema>["filter"], "status">;

/** `GET /deliveries?…`; `from` is inclusive, `to` is not. */
export const deliveryQuerySchema = z
  .strictObject({
    ...pageFields,
    ...filterFields,
    status: z
      .enum(deliveryStatuses, { error: `must be one of ${deliveryStatuses.join(", ")}` })
      .optional(),
    /** The events that came in one request. */
    batchId: z.string().max(64, "must be a delivery's id").optional(),
    /** Those that Catchment made itself: only them, or without them. */
    isSample: z
      .enum(["true", "false"], { error: "must be true or false" })
      .transform((text) => text === "true")
      .optional(),
  })
  .refine(isInOrder, outOfOrder);

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
