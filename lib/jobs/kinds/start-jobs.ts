import { type SendAuditOptions, sendAuditJob } from "../audit/send-audit.ts";
import { type BacktestOptions, Backtests } from "../backtest/backtests.ts";
import type { EvaluationOptions } from "../evaluation-parts.ts";
import { findGapJob } from "../gaps/find-gap.ts";
import { scheduleGapsJobs } from "../gaps/schedule-gaps.ts";
import { takeInJob } from "../gaps/take-in.ts";
import {
  keepRegistrationsJob,
  type RegistrationOptions,
} from "../registrations/keep-registrations.ts";
import { type SweepOptions, sweepJobs, upkeepJobs } from "../retention/sweep.ts";
import { type RunningJobs, runJobs } from "../run-jobs.ts";
import { acceptJob } from "./accept.ts";
import { type AuditOptions, postHeadsJob, sweepAuditJob } from "./audit.ts";
import { backtestJob } from "./backtest.ts";
import { changeRunsJob } from "./change-runs.ts";
import { countRunsJob } from "./count-runs.ts";
import { type EraseOptions, eraseJob } from "./erase.ts";
import { findArrivalsJob } from "./find-arrivals.ts";
import { indexFieldsJob } from "./index-fields.ts";
import {
  type AlertOptions,
  planAlertsJob,
  releaseAlertsJob,
  remindJob,
  sendAlertsJob,
} from "./problems/alerts.ts";
import { certificateJob } from "./problems/check-certificates.ts";
import { clockJob } from "./problems/check-clock.ts";
import { databaseJob } from "./problems/check-database.ts";
import { type DiskOptions, diskJob } from "./problems/check-disk.ts";
import { quotaJob } from "./problems/check-quotas.ts";
import { spoolJob } from "./problems/check-spool.ts";
import { problemJobs } from "./problems/find-problems.ts";
import { shapeJob } from "./problems/shape.ts";
import { silenceJobs } from "./problems/silence.ts";
import { purgeJob } from "./purge.ts";
import { purgeListenersJob } from "./purge-listeners.ts";
import { replayJob } from "./replay.ts";
import { replayMissingJob } from "./replay-missing.ts";
import { retainHooksJob } from "./retain-hooks.ts";
import { countUsageJob, rollUpJob } from "./roll-up.ts";

type JobsOptions = EvaluationOptions &
  AlertOptions &
  AuditOptions &
  BacktestOptions &
  EraseOptions &
  RegistrationOptions &
  SendAuditOptions &
  SweepOptions &
  DiskOptions;

/** Starts all background jobs. */
export function startJobs(options: JobsOptions): RunningJobs {
  const { db, retentionDays } = options;
  const backtests = new Backtests(options);
  const jobs = runJobs([
    // By itself: calls that a user cancels are made until their turn comes.
    { everyMs: 1_000, budgetMs: 500, jobs: [changeRunsJob(db, "cancel")] },
    {
      everyMs: 1_000,
      budgetMs: 500,
      jobs: [changeRunsJob(db, "retry"), replayMissingJob(db), replayJob(db)],
    },
    // By itself: what became of the runs is shown while others are still being queued.
    { everyMs: 1_000, budgetMs: 500, jobs: [countRunsJob(db)] },
    // A batch may wait for a provider's key, longer than a turn of the others.
    { everyMs: 1_000, budgetMs: 500, jobs: [acceptJob(options)] },
    // A page of a provider may take its time, longer than a turn of the others.
    { everyMs: 1_000, budgetMs: 500, jobs: [findGapJob(options)] },
    { everyMs: 1_000, budgetMs: 500, jobs: [takeInJob(options)] },
    { everyMs: 10_000, budgetMs: 500, jobs: scheduleGapsJobs(options) },
    // By itself, for the same reason.
    { everyMs: 1_000, budgetMs: 500, jobs: [keepRegistrationsJob(options)] },
    // It works half of the time, because its thread uses a whole core.
    { everyMs: 1_000, budgetMs: 1_000, jobs: [backtestJob(db, backtests)] },
    // By itself: a week's archive is rewritten for minutes.
    { everyMs: 1_000, budgetMs: 500, jobs: [eraseJob(options)] },
    // By itself: it reads bodies, of accounts with rules only.
    { everyMs: 2_000, budgetMs: 1_000, jobs: [findArrivalsJob(options)] },
    // Every statistics page reads the rows that are not rolled up yet, so they are kept few.
    {
      everyMs: 10_000,
      budgetMs: 500,
      startsAtOnce: true,
      jobs: [rollUpJob(db, retentionDays)],
    },
    // By itself, so that neither waits for an hour that the other counts again.
    { everyMs: 10_000, budgetMs: 500, startsAtOnce: true, jobs: [countUsageJob(db)] },
    { everyMs: 2_000, budgetMs: 1_000, jobs: problemJobs(db) },
    { everyMs: 1_000, budgetMs: 500, jobs: [planAlertsJob(options), releaseAlertsJob(options)] },
    { everyMs: 10_000, jobs: [remindJob(options)] },
    // By itself: a channel may take its time to respond.
    { everyMs: 1_000, budgetMs: 500, jobs: [sendAlertsJob(options)] },
    // By itself, for the same reason.
    { everyMs: 1_000, jobs: [sendAuditJob(options)] },
    {
      everyMs: 10_000,
      startsAtOnce: true,
      jobs: [diskJob(db, options), spoolJob(db), quotaJob(db)],
    },
    // By itself, so that it notices soon that the database is back.
    { everyMs: 2_000, startsAtOnce: true, jobs: [databaseJob(db)] },
    // Before the sweeps ask what time it is.
    { everyMs: 60_000, startsAtOnce: true, jobs: [clockJob(db)] },
    { everyMs: 60_000, startsAtOnce: true, jobs: [certificateJob(db)] },
    { everyMs: 60_000, jobs: [purgeJob(db)] },
    { everyMs: 60_000, budgetMs: 1_000, jobs: [purgeListenersJob(db)] },
    // Counting what a hook has takes a second for some million deliveries.
    { everyMs: 600_000, startsAtOnce: true, jobs: [retainHooksJob(db)] },
    // By itself: it reads bodies, and its statements wait for nothing else.
    { everyMs: 30_000, budgetMs: 1_000, jobs: [shapeJob(db)] },
    // By itself: it rests between batches.
    { everyMs: 5_000, budgetMs: 10_000, jobs: [indexFieldsJob(db)] },
    // Learning a rhythm takes milliseconds of this thread, so a turn has a limit.
    { everyMs: 30_000, budgetMs: 1_000, jobs: silenceJobs(db) },
    {
      everyMs: 3_600_000,
      startsAtOnce: true,
      jobs: [...upkeepJobs(db), sweepAuditJob(options), postHeadsJob(options)],
    },
    // Each by itself: a week is archived for minutes before it is dropped, on a slow bucket for hours.
    ...sweepJobs(db, options).map((job) => ({
      everyMs: 3_600_000,
      startsAtOnce: true,
      jobs: [job],
    })),
  ]);
  return {
    async stop() {
      await jobs.stop();
      await backtests.close();
    },
  };
}
