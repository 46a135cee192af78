import { ensurePartitions } from "#lib/db/partitions.ts";
import { purgeDeletedHooks } from "#lib/db/purge-hooks.ts";
import { sweepBefore, sweepShortLived } from "#lib/db/retention.ts";
import type { SqlDatabase } from "#lib/db/sql-database.ts";
import { rollUpStatistics, sweepStatistics } from "#lib/db/statistics-roll-up.ts";
import { workBulkJobs } from "#lib/db/work-bulk-jobs.ts";
import { toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { every } from "./every.ts";

export type MaintenanceOptions = {
  readonly db: SqlDatabase;
  /** What is older is removed; 0 keeps everything. */
  readonly retentionDays: number;
};

const purgeEveryMs = 60_000;
const sweepEveryMs = 3_600_000;
/** What is not counted yet is read by every page of figures, so it is kept short. A twentieth of the time at most goes into it. */
const rollUpEveryMs = 10_000;
const rollUpBudgetMs = 500;
const bulkEveryMs = 1_000;
/** Then everything else has its turn. */
const bulkBudgetMs = 500;
/** As far back as a page of figures reaches, and a day. */
const countedDays = 31;
const dayMs = 86_400_000;

/**
 * Keeps the database in shape: works on bulk jobs, counts what the figures of the dashboard are made of, makes the coming weeks' partitions, removes what is past its retention and what deleted
 * hooks leave behind. Every step may run in several processes at once and may stop anywhere.
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
      every(rollUpEveryMs, signal, () => this.rollUp(), logFailure),
      every(sweepEveryMs, signal, () => this.sweep(), logFailure),
      // The first time at once: a server that is started once a day has to get there too.
      this.sweep(),
      this.rollUp().catch(logFailure),
    ];
  }

  async purge(): Promise<void> {
    await purgeDeletedHooks(this.#options.db);
  }

  async workBulk(): Promise<void> {
    const until = performance.now() + bulkBudgetMs;
    while (!this.#stopping.signal.aborted && performance.now() < until) {
      if (!(await workBulkJobs(this.#options.db))) return;
    }
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

  /** Never rejects: a step that fails is logged, and must not keep the others from their turn. */
  async sweep(): Promise<void> {
    const { db } = this.#options;
    const steps = [ensurePartitions, sweepShortLived, sweepStatistics, () => this.#sweepOld()];
    for (const step of steps) await step(db).catch(logFailure);
  }

  async #sweepOld(): Promise<void> {
    const { db, retentionDays } = this.#options;
    if (retentionDays === 0) return;
    const cutoff = new Date(Date.now() - retentionDays * dayMs);
    const swept = await sweepBefore(db, cutoff, () => this.#stopping.signal.aborted);
    log.info("maintenance.swept", { ...swept, cutoff: cutoff.toISOString() });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
  }
}

function logFailure(error: unknown): void {
  log.warn("maintenance.failed", { error: toError(error) });
}
