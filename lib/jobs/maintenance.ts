import { setTimeout as delay } from "node:timers/promises";
import { sweepRejectedBefore } from "#lib/db/deliveries/rejected-retention.ts";
import { sweepBefore, sweepShortLived } from "#lib/db/deliveries/retention.ts";
import { workMissingJobs } from "#lib/db/events/missing-jobs.ts";
import { purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import { ensurePartitions } from "#lib/db/postgres/partitions.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { workReplayJobs } from "#lib/db/replays/work-replay-jobs.ts";
import { workBulkJobs } from "#lib/db/runs/work-bulk-jobs.ts";
import { rollUpStatistics, sweepStatistics } from "#lib/db/statistics/statistics-roll-up.ts";
import { purgeDeletedSubscriptions } from "#lib/db/subscriptions/purge-subscriptions.ts";
import { toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { every } from "#lib/worker/every.ts";

export type MaintenanceOptions = {
  readonly db: SqlDatabase;
  /** Older rows are removed. 0 keeps everything. */
  readonly retentionDays: number;
  /** Older rejected deliveries and handshakes are removed. 0: with the others. */
  readonly rejectedRetentionDays: number;
  /** Works on rejected deliveries that are to be accepted; false: nothing is left to do. */
  readonly acceptRejected: () => Promise<boolean>;
  /** Does the next batch of a backtest; false: there is none. */
  readonly workBacktest: () => Promise<boolean>;
};

const purgeEveryMs = 60_000;
const sweepEveryMs = 3_600_000;
/**
 * Every statistics page reads what is not rolled up yet, so that is kept short. Takes at most a
 * twentieth of the time.
 */
const rollUpEveryMs = 10_000;
const rollUpBudgetMs = 500;
const bulkEveryMs = 1_000;
/** Then everything else gets its turn. */
const bulkBudgetMs = 500;
const backtestBudgetMs = 1_000;
/** As far back as a statistics page reaches, plus a day. */
const countedDays = 31;
const dayMs = 86_400_000;

/**
 * Maintains the database: works on bulk jobs, rolls up statistics, creates the coming weeks'
 * partitions, and removes expired rows and what deleted hooks leave behind. Every step may run in
 * several processes at once and may stop anywhere.
 */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[];

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    const { signal } = this.#stopping;
    this.#loops = [
      every(purgeEveryMs, signal, () => this.purge(), logFailure),
      every(bulkEveryMs, signal, () => this.workBulk(), logFailure),
      every(bulkEveryMs, signal, () => this.workBacktests(), logFailure),
      every(rollUpEveryMs, signal, () => this.rollUp(), logFailure),
      every(sweepEveryMs, signal, () => this.sweep(), logFailure),
      // The first time at once, so that a server that is restarted daily gets there too.
      this.sweep(),
      this.rollUp().catch(logFailure),
    ];
  }

  /** Until nothing is left. It rests as long as it works, so that deliveries get their turn. */
  async purge(): Promise<void> {
    await purgeDeletedSubscriptions(this.#options.db);
    const { signal } = this.#stopping;
    const afterBatch = async (tookMs: number) => {
      await delay(tookMs, undefined, { signal }).catch(() => {});
      return !signal.aborted;
    };
    while (!signal.aborted) {
      const { removedRows, isDone } = await purgeDeletedHooks(this.#options.db, { afterBatch });
      if (isDone || removedRows === 0) return;
    }
  }

  async workBulk(): Promise<void> {
    const until = performance.now() + bulkBudgetMs;
    while (!this.#stopping.signal.aborted && performance.now() < until) {
      const { db, acceptRejected } = this.#options;
      if ((await workBulkJobs(db)) || (await workMissingJobs(db))) continue;
      if (await workReplayJobs(db)) continue;
      if (!(await acceptRejected())) return;
    }
  }

  /** Half of the time: its thread takes a core. */
  async workBacktests(): Promise<void> {
    const until = performance.now() + backtestBudgetMs;
    while (!this.#stopping.signal.aborted && performance.now() < until)
      if (!(await this.#options.workBacktest())) return;
  }

  async rollUp(): Promise<void> {
    const { db, retentionDays } = this.#options;
    const days = retentionDays === 0 ? countedDays : Math.min(retentionDays, countedDays);
    await rollUpStatistics(db, {
      sinceMs: Date.now() - days * dayMs,
      budgetMs: rollUpBudgetMs,
      shouldStop: () => this.#stopping.signal.aborted,
    });
  }

  /** Never rejects: a failed step is logged, and the others still get their turn. */
  async sweep(): Promise<void> {
    const { db } = this.#options;
    const steps = [
      ensurePartitions,
      sweepShortLived,
      sweepStatistics,
      () => this.#sweepOld(),
      () => this.#sweepRejected(),
    ];
    for (const step of steps) await step(db).catch(logFailure);
  }

  async #sweepOld(): Promise<void> {
    const { db, retentionDays } = this.#options;
    if (retentionDays === 0) return;
    const cutoff = new Date(Date.now() - retentionDays * dayMs);
    const swept = await sweepBefore(db, cutoff, () => this.#stopping.signal.aborted);
    log.info("maintenance.swept", { ...swept, cutoff: cutoff.toISOString() });
  }

  async #sweepRejected(): Promise<void> {
    const { db, rejectedRetentionDays } = this.#options;
    if (rejectedRetentionDays === 0) return;
    const cutoff = new Date(Date.now() - rejectedRetentionDays * dayMs);
    const deliveries = await sweepRejectedBefore(db, cutoff, () => this.#stopping.signal.aborted);
    log.info("maintenance.rejected_swept", { deliveries, cutoff: cutoff.toISOString() });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
  }
}

function logFailure(error: unknown): void {
  log.warn("maintenance.failed", { error: toError(error) });
}
