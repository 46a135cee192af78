import { walkAlongIndexes } from "#lib/db/postgres/plan-settings.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import {
  type Found,
  type FoundFailures,
  findFailedAttempts,
  findFailedRuns,
} from "#lib/db/problems/find-failures.ts";
import {
  type FoundRejections,
  findRejectedCounts,
  findRejectedDeliveries,
} from "#lib/db/problems/find-rejections.ts";
import {
  endScan,
  lockScan,
  type ScanSource,
  type ScanSpan,
} from "#lib/db/problems/problem-scans.ts";
import { type Occurrence, recordProblems } from "#lib/db/problems/record-problems.ts";
import { resolveEndedProblems } from "#lib/db/problems/resolve-problems.ts";
import { defineJob, type Job, lockNothing } from "#lib/jobs/job.ts";

type ProblemTimes = {
  /** Added to the time of rows whose time is from the clock of another machine. */
  readonly settleMs?: number;
  /** The same for rows whose time is the database's. */
  readonly runsSettleMs?: number;
  /** The time after its last occurrence at which a problem can be over. */
  readonly quietMs?: number;
};

const usualTimes = { settleMs: 10_000, runsSettleMs: 500, quietMs: 5 * 60_000 };

/**
 * Opens problems for what has failed and been rejected since the last look, and resolves those that
 * are over. The hot path does nothing for it.
 */
export function problemJobs(db: SqlDatabase, times: ProblemTimes = {}): readonly Job[] {
  const { settleMs, runsSettleMs, quietMs } = { ...usualTimes, ...times };
  const failures = (rows: readonly FoundFailures[]) => rows.map(toFailure);
  const rejections = (rows: readonly FoundRejections[]) => rows.map(toRejection);
  return [
    scanJob(db, "failed_runs", runsSettleMs, findFailedRuns, failures),
    scanJob(db, "failed_attempts", settleMs, findFailedAttempts, failures),
    scanJob(db, "rejected_deliveries", settleMs, findRejectedDeliveries, rejections),
    scanJob(db, "rejected_counts", settleMs, findRejectedCounts, rejections),
    defineJob({
      kind: "resolve_problems",
      lock: lockNothing,
      async workBatch() {
        await db.$transaction(async (tx) => {
          await walkAlongIndexes(tx);
          await resolveEndedProblems(tx, quietMs);
        });
        return false;
      },
    }),
  ];
}

/** Its progress is stored with what it found, so nothing is missed or counted twice. */
function scanJob<Row>(
  db: SqlDatabase,
  source: ScanSource,
  settleMs: number,
  find: (tx: SqlStatements, span: ScanSpan) => Promise<Found<Row>>,
  toOccurrences: (rows: readonly Row[]) => readonly Occurrence[],
): Job {
  return defineJob({
    kind: `problems_${source}`,
    async lock(use) {
      return await db.$transaction(async (tx) => {
        const span = await lockScan(tx, source, settleMs);
        return span === null ? false : await use({ tx, span });
      });
    },
    async workBatch({ tx, span }: { readonly tx: SqlStatements; readonly span: ScanSpan }) {
      await walkAlongIndexes(tx);
      const { rows, until, isMore } = await find(tx, span);
      await recordProblems(tx, toOccurrences(rows));
      await endScan(tx, source, until);
      return isMore;
    },
  });
}

function toFailure(found: FoundFailures): Occurrence {
  const { accountId, targetId, hookId, cause, message, runId, deliveryId } = found;
  const occurrence = { ...toTimes(found), accountId, reason: cause, runId, deliveryId };
  if (hookId === null) {
    const details = { kind: "subscription_failing", message } as const;
    const { kind } = details;
    return {
      ...occurrence,
      kind,
      key: `subscription:${targetId}`,
      subscriptionId: targetId,
      details,
    };
  }
  const details = { kind: "action_failing", message } as const;
  const key = `action:${targetId}:${cause}`;
  return { ...occurrence, kind: details.kind, key, hookId, actionId: targetId, details };
}

function toRejection(found: FoundRejections): Occurrence {
  const { accountId, hookId, reason, message, deliveryId } = found;
  const details = { kind: "rejected", message } as const;
  const key = `rejected:${hookId}:${reason}`;
  return {
    ...toTimes(found),
    accountId,
    kind: "rejected",
    key,
    hookId,
    reason,
    deliveryId,
    details,
  };
}

type Times = { readonly firstAt: Date; readonly lastAt: Date; readonly count: number };

function toTimes({ firstAt, lastAt, count }: Times) {
  return { firstAtMs: firstAt.getTime(), lastAtMs: lastAt.getTime(), count };
}
