/** What is asked of runs. */
import { z } from "zod";
import { pageFields } from "./common.ts";

/** `running` and `held` are not stored: they follow from the lease, and from the hook and the action. */
export const runStatuses = [
  "queued",
  "running",
  "retrying",
  "succeeded",
  "failed",
  "skipped",
  "cancelled",
  "held",
] as const;
export type RunStatus = (typeof runStatuses)[number];

/** `GET /runs?…`. */
export const runQuerySchema = z.strictObject({
  ...pageFields,
  deliveryId: z.string().max(64).optional(),
  actionId: z.string().max(64).optional(),
  subscriptionId: z.string().max(64).optional(),
  status: z.enum(runStatuses, { error: `must be one of ${runStatuses.join(", ")}` }).optional(),
});
