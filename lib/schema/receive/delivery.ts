/** Queries for deliveries. */
import { z } from "zod";
import { jobLimitFields } from "#lib/schema/act/bulk-job.ts";
import { bulkReplaySchema } from "#lib/schema/act/replay.ts";
import { filterText, instant, isInOrder, pageFields } from "#lib/schema/field/common.ts";
import { listedIds } from "#lib/schema/field/selected.ts";
import { deliveryStatuses } from "./delivery-status.ts";

const filterFields = {
  hookId: z.string().max(64).optional().describe("Only deliveries of this hook"),
  eventType: filterText.optional().describe("Only deliveries of this event type"),
  eventId: filterText.optional().describe("Only deliveries with this event id"),
  /** Text in the event id, type, path, or reason, or in the first 16 KiB of the body. */
  q: filterText.optional(),
  from: instant.optional(),
  to: instant.optional(),
};

/** `POST /deliveries/accept`. */
export const bulkAcceptSchema = z.strictObject({
  filter: z
    .strictObject({
      ...filterFields,
      status: z
        .literal("rejected", { error: 'must be "rejected"' })
        .describe("Only these can be accepted later"),
      isSample: z.boolean({ error: "must be true or false" }).optional(),
    })
    .refine(...isInOrder()),
  ...jobLimitFields,
});

/** The filter that selects a job's rejected deliveries. */
export type RejectedFilter = Omit<z.output<typeof bulkAcceptSchema>["filter"], "status">;

/** `GET /deliveries?…`; `from` is inclusive, `to` is not. */
export const deliveryQuerySchema = z
  .strictObject({
    ...pageFields,
    ...filterFields,
    status: z
      .enum(deliveryStatuses, { error: `must be one of ${deliveryStatuses.join(", ")}` })
      .optional()
      .describe("Only deliveries of this status"),
    ids: listedIds.optional(),
    /** Only deliveries with a run that failed. */
    runs: z.enum(["failed"], { error: "must be failed" }).optional(),
    /** The id of the delivery whose events to list. */
    batchId: z.string().max(64, "must be a delivery's id").optional(),
    /** True: only deliveries that Catchment made as a test. False: only others. */
    isSample: z
      .enum(["true", "false"], { error: "must be true or false" })
      .transform((text) => text === "true")
      .optional(),
  })
  .refine(...isInOrder());

/** `POST /deliveries/{id}/replay`. Without ids: every enabled action of the hook. */
export const replaySchema = bulkReplaySchema.pick({ actionIds: true });
