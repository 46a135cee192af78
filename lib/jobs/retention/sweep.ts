import { log } from "#lib/base/log.ts";
import { readRetentionTime } from "#lib/db/clock/database-clock.ts";
import { sweepRejectedBefore } from "#lib/db/deliveries/retention/rejected-retention.ts";
import { sweepBefore, sweepShortLived } from "#lib/db/deliveries/retention/retention.ts";
import { ensurePartitions } from "#lib/db/postgres/partitions/partitions.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { resolveShared } from "#lib/db/problems/shared-problems.ts";
import { sweepQuotas } from "#lib/db/recipients/quotas.ts";
import { sweepStatistics } from "#lib/db/statistics/statistics-roll-up.ts";
import { sweepCallbacks } from "#lib/db/subscriptions/event-callbacks.ts";
import { sweepUsage } from "#lib/db/usage/count-usage.ts";
import { dayMs, defineJob, type Job, lockNothing } from "../job.ts";
import { type ArchiveOptions, withArchive } from "./archive-weeks.ts";

type Retention = {
  /** Older rows are removed. 0: everything is kept. */
  readonly retentionDays: number;
  /**
   * The age in days at which rejected deliveries and handshakes are removed. 0: the same as for the
   * others.
   */
  readonly rejectedRetentionDays: number;
};

export type SweepOptions = Retention & ArchiveOptions;

/**
 * Creates the coming weeks' partitions and removes rows that live for a fixed time. If one fails, the
 * others continue.
 */
export function upkeepJobs(db: SqlDatabase): readonly Job[] {
  return [
    sweep("ensure_partitions", () => ensurePartitions(db)),
    sweep("sweep_short_lived", () => sweepShortLived(db)),
    sweep("sweep_callbacks", () => sweepCallbacks(db)),
    sweep("sweep_statistics", () => sweepStatistics(db)),
    sweep("sweep_usage", () => sweepUsage(db)),
    sweep("sweep_quotas", () => sweepQuotas(db)),
  ];
}

/** Removes rows that are past retention. */
export function sweepJobs(db: SqlDatabase, options: SweepOptions): readonly Job[] {
  const { retentionDays, rejectedRetentionDays } = options;
  return [
    sweep("sweep", async (signal) => {
      if (retentionDays === 0) return await resolveShared(db, "archive");
      const cutoff = await findCutoff(db, retentionDays);
      const swept = await withArchive(db, options, signal, (beforeDrop) =>
        sweepBefore(db, cutoff, () => signal.aborted, beforeDrop),
      );
      const { stuck, ...counts } = swept;
      for (const week of stuck) log.warn("retention.week_stays", { week, why: tooMuch });
      log.info("job.swept", { ...counts, cutoff: cutoff.toISOString() });
    }),
    sweep("sweep_rejected", async (signal) => {
      if (rejectedRetentionDays === 0) return;
      const cutoff = await findCutoff(db, rejectedRetentionDays);
      const deliveries = await sweepRejectedBefore(db, cutoff, () => signal.aborted);
      log.info("job.rejected_swept", { deliveries, cutoff: cutoff.toISOString() });
    }),
  ];
}

/** A job that removes everything in one turn. Each statement removes a batch. */
function sweep(kind: string, act: (signal: AbortSignal) => Promise<unknown>): Job {
  return defineJob({
    kind,
    lock: lockNothing,
    async workBatch(_work, signal) {
      await act(signal);
      return false;
    },
  });
}

const tooMuch = "More than 10,000 of its deliveries and events have open runs, or came later.";

/** By the database's clock. That of this machine may be off. */
async function findCutoff(db: SqlDatabase, days: number): Promise<Date> {
  return new Date((await readRetentionTime(db)).getTime() - days * dayMs);
}
