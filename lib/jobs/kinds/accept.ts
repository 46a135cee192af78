import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";
import type { RejectedFilter } from "#lib/schema/receive/delivery.ts";
import { type EvaluationOptions, loadEvaluationParts } from "../evaluation-parts.ts";
import { defineJob, type Job } from "../job.ts";
import { lockRow } from "../lock-row.ts";

/** Accepts rejected deliveries that now verify. */
export function acceptJob(options: EvaluationOptions): Job {
  const kind = "accept";
  let parts: EvaluationParts | undefined;
  return defineJob({
    kind,
    lock: lockRow<RejectedFilter>(options.db, kind),
    async workBatch(work) {
      const { acceptBatch } = await import("./accept-batch.ts");
      parts ??= await loadEvaluationParts(options);
      return await acceptBatch(work, parts);
    },
  });
}
