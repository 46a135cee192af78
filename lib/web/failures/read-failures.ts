import { countFailures, listFailures } from "#lib/services/failures.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { readRecipientNames } from "#lib/services/recipients.ts";
import { countRecentFailures } from "#lib/web/problems/read-problems.ts";
import { readRunJobs } from "#lib/web/runs/read-run-list.ts";

const dayMs = 86_400_000;
/** The time ranges of the page. */
const spansMs = { "24h": dayMs, "7d": 7 * dayMs, "30d": 30 * dayMs } as const;
type FailureRange = keyof typeof spansMs;

export const usualRange = "7d";

export function toFailureRange(value: string | string[] | undefined): FailureRange {
  return value === "24h" || value === "30d" ? value : usualRange;
}

/** The failures by action and reason, and the bulk jobs that may change them. */
export async function readFailures(context: ServiceContext, range: FailureRange) {
  const nowMs = context.now().getTime();
  const from = new Date(nowMs - spansMs[range]).toISOString();
  const [list, jobs, { failed }, recent] = await Promise.all([
    listFailures(context, { from }),
    readRunJobs(context),
    countFailures(context, { from, targetIds: [] }),
    countRecentFailures(context, []),
  ]);
  const ids = list.failures.flatMap(({ example }) => example.recipient ?? []);
  const names = await readRecipientNames(context, { ids });
  const failures = list.failures.map((failure) => ({
    ...failure,
    recipientName: names.get(failure.example.recipient ?? "") ?? null,
  }));
  const isAll = list.isComplete && list.more === 0;
  const listed = failures.reduce((sum, { count }) => sum + count, 0);
  return {
    ...{ ...list, failures, jobs, nowMs, failed },
    recent: recent.failed,
    /** Failed runs without a group, because nothing can be done about them. */
    deleted: isAll ? Math.max(0, failed - listed) : 0,
  };
}
