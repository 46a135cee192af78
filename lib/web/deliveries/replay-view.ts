import { z } from "zod";
import type { StartedReplay } from "#lib/services/deliveries/replay-deliveries.ts";
import { bulkJobSchema, showBulkJob } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { view } from "#lib/web/route/view.ts";

const dryRunSchema = z
  .object({
    total: z.int().nullable().describe("Runs that it would queue; null: too many to count"),
    leftOut: z
      .object({ notStored: z.int(), nothingSent: z.int() })
      .nullable()
      .describe("Deliveries whose request of then can't be sent again"),
    sample: z
      .array(
        z.object({
          deliveryId: z.string(),
          actionId: z.string(),
          actionName: z.string(),
          outcome: z.enum(["run", "skip", "fail", "steps"]),
          request: z.object({ method: z.string(), url: z.string() }).nullable(),
          message: z.string().nullable(),
        }),
      )
      .readonly()
      .describe("The first 5 runs"),
  })
  .meta({ id: "ReplayDryRun" });

/** The job of a replay, or what it would do. */
export const replayView = view(z.union([bulkJobSchema, dryRunSchema]), (started: StartedReplay) =>
  started.kind === "started" ? showBulkJob(started.job) : started.result,
);
