import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";
import type { TakeInFilter } from "#lib/schema/receive/gap.ts";
import { type EvaluationOptions, loadEvaluationParts } from "../evaluation-parts.ts";
import { defineJob, type Job } from "../job.ts";
import { lockRow } from "../lock-row.ts";

/** Stores missing events as deliveries, oldest first. */
export function takeInJob(options: EvaluationOptions): Job {
  const kind = "take_in";
  let parts: EvaluationParts | undefined;
  return defineJob({
    kind,
    lock: lockRow<TakeInFilter>(options.db, kind),
    async workBatch(work) {
      const { takeInBatch } = await import("./take-in-batch.ts");
      parts ??= await loadEvaluationParts(options);
      return await takeInBatch(work, parts);
    },
  });
}
