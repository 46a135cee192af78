/** `POST /deliveries/replay`: runs actions on many past deliveries again, or for the first time. */
import { z } from "zod";
import { filterText, instant, isDistinct, isInOrder } from "#lib/schema/field/common.ts";
import { jobLimitFields } from "./bulk-job.ts";

export const bulkReplaySchema = z.strictObject({
  filter: z
    .strictObject({
      hookId: z
        .string({ error: "must be a hook's id" })
        .max(64, "is not an id")
        .describe("The hook whose deliveries to replay"),
      eventType: filterText.optional().describe("Only deliveries of this type"),
      /** The time when the delivery was received: `from` is inclusive, `to` is not. */
      from: instant.optional(),
      to: instant.optional(),
    })
    .refine(...isInOrder()),
  /** Default: every enabled action of the hook. */
  actionIds: z
    .array(z.string({ error: "must be an action's id" }).max(64, "is not an id"))
    .min(1, "must name at least one action")
    .max(100, "at most 100 actions")
    .refine(...isDistinct("names an action twice"))
    .optional(),
  /** `now`: with the current actions. `then`: the request that the last run sent. */
  as: z.enum(["now", "then"], { error: "must be now or then" }).default("now"),
  /** Only deliveries for which the action has no run, such as those from before it existed. */
  onlyMissing: z.boolean().default(false),
  ...jobLimitFields,
  /** Returns what would be done, and does nothing. */
  dryRun: z.boolean().default(false),
});
export type BulkReplay = z.output<typeof bulkReplaySchema>;

/** The stored settings of a job of kind `replay`. */
export type ReplayFilter = BulkReplay["filter"] & {
  readonly actionIds: readonly string[];
  readonly as: BulkReplay["as"];
  readonly onlyMissing: boolean;
  /** The hook's newest accepted delivery when the job started. Undefined: a job of an earlier release. */
  readonly newest?: string;
};
