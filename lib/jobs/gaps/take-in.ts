import type { EventList } from "#lib/core/providers/event-lists/event-list.ts";
import { readGapSource } from "#lib/db/gaps/take-in.ts";
import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";
import type { TakeInFilter } from "#lib/schema/receive/gap.ts";
import { type EvaluationOptions, loadEvaluationParts } from "../evaluation-parts.ts";
import { defineJob, type Job } from "../job.ts";
import { lockRow, type RowWork } from "../lock-row.ts";

/** Stores missing events as deliveries, oldest first, or asks the provider to send them again. */
export function takeInJob(options: EvaluationOptions): Job {
  const kind = "take_in";
  let parts: EvaluationParts | undefined;
  return defineJob({
    kind,
    lock: lockRow<TakeInFilter>(options.db, kind),
    async workBatch(work) {
      const list = await findRedelivering(work);
      if (list !== null) {
        const { redeliverBatch } = await import("./redeliver-batch.ts");
        return await redeliverBatch(work, list, options);
      }
      const { takeInBatch } = await import("./take-in-batch.ts");
      parts ??= await loadEvaluationParts(options);
      return await takeInBatch(work, parts);
    },
  });
}

/** The API that sends again what is missing. Null: what it listed is taken in. */
async function findRedelivering({
  tx,
  accountId,
  filter,
}: RowWork<TakeInFilter>): Promise<EventList | null> {
  const source = await readGapSource(tx, accountId, filter.gapId);
  const { findEventList } = await import("#lib/core/providers/event-lists/find-event-list.ts");
  const list = findEventList(source?.provider ?? "");
  return list?.redelivers === undefined ? null : list;
}
