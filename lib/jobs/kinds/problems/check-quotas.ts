import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { openProblem, resolveProblem } from "#lib/db/problems/record-problems.ts";
import { findNearQuotas, listQuotaProblems } from "#lib/db/recipients/quotas.ts";
import { defineJob, type Job, lockNothing } from "#lib/jobs/job.ts";

/**
 * Keeps a problem open while a recipient has used four fifths of its quota or more. It says so again once all of it is
 * used, and is over when the next day or month begins, or the quota is raised.
 */
export function quotaJob(db: SqlDatabase): Job {
  return defineJob({
    kind: "check_quotas",
    lock: lockNothing,
    async workBatch() {
      const [near, open] = await Promise.all([findNearQuotas(db), listQuotaProblems(db)]);
      const known = new Map(open.map((one) => [`${one.accountId} ${one.key}`, one]));
      for (const { accountId, ...details } of near) {
        const key = `quota:${details.recipient}`;
        const before = known.get(`${accountId} ${key}`);
        known.delete(`${accountId} ${key}`);
        if (before?.isUsedUp === details.used >= details.limit) continue;
        await openProblem(db, {
          ...{ accountId, kind: "quota", key, at: new Date() },
          details: { kind: "quota", ...details },
        });
      }
      for (const { accountId, key } of known.values()) await resolveProblem(db, accountId, key);
      return false;
    },
  });
}
