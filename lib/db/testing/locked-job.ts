import { newId } from "#lib/base/ids.ts";
import { firstId } from "#lib/core/api/page.ts";
import type { LockedJob } from "#lib/db/jobs/lock-bulk-job.ts";

/** A job that begins now, without limits. */
export function lockedJob<Filter>(accountId: string, filter: Filter): LockedJob<Filter> {
  return {
    id: newId(),
    accountId,
    filter,
    seenBefore: firstId,
    changedCount: 0,
    ratePerMinute: null,
    stopAfterFailures: null,
    isTrial: false,
    failedBefore: 0,
    dueForMs: 0,
  };
}
