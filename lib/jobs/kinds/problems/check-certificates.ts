import {
  findEndingCertificates,
  listCertificateProblems,
} from "#lib/db/credentials/ending-certificates.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { openProblem, resolveProblem } from "#lib/db/problems/record-problems.ts";
import { defineJob, type Job, lockNothing } from "#lib/jobs/job.ts";

/**
 * Keeps a problem open while a client certificate that calls use ends within 30 days. It says so again once the
 * certificate has expired, and is over when it is replaced or no longer used.
 */
export function certificateJob(db: SqlDatabase): Job {
  return defineJob({
    kind: "check_certificates",
    lock: lockNothing,
    async workBatch() {
      const [ending, open] = await Promise.all([
        findEndingCertificates(db),
        listCertificateProblems(db),
      ]);
      const known = new Map(open.map((one) => [`${one.accountId} ${one.key}`, one]));
      for (const { accountId, ...details } of ending) {
        const key = `certificate:${details.credentialId}`;
        const before = known.get(`${accountId} ${key}`);
        known.delete(`${accountId} ${key}`);
        const { expiresAt, hasExpired } = details;
        if (before?.hasExpired === hasExpired && before.expiresAt === expiresAt) continue;
        await openProblem(db, {
          ...{ accountId, kind: "certificate", key, at: new Date() },
          details: { kind: "certificate", ...details },
        });
      }
      for (const { accountId, key } of known.values()) await resolveProblem(db, accountId, key);
      return false;
    },
  });
}
