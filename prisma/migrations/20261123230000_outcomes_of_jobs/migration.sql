-- Every job counts what became of the runs that it has queued. A run can be in several jobs, and has an outcome in each.
ALTER TABLE "bulk_job_runs" DROP CONSTRAINT "bulk_job_runs_pkey";
ALTER TABLE "bulk_job_runs" ADD CONSTRAINT "bulk_job_runs_pkey" PRIMARY KEY ("job_id", "run_id");
DROP INDEX "bulk_job_runs_job_id_idx";
ALTER TABLE "bulk_job_runs" ADD COLUMN "outcome" TEXT;
ALTER TABLE "bulk_job_runs" ADD CONSTRAINT "bulk_job_runs_outcome_check"
  CHECK ("outcome" IN ('succeeded', 'failed', 'skipped', 'cancelled', 'gone'));
-- The runs without an outcome, and the list of those with one.
CREATE INDEX "bulk_job_runs_job_id_outcome_run_id_idx" ON "bulk_job_runs" ("job_id", "outcome", "run_id");
CREATE INDEX "bulk_job_runs_sent_by_idx" ON "bulk_job_runs" ("run_id") WHERE "sent_by" IS NOT NULL;

ALTER TABLE "bulk_jobs"
  ADD COLUMN "rate_per_minute" INTEGER,
  ADD COLUMN "stop_after_failures" INTEGER,
  ADD COLUMN "is_trial" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "open_count" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "succeeded_count" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "skipped_count" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "cancelled_count" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "counted_until" UUID,
  ADD COLUMN "count_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "counted_at" TIMESTAMPTZ(3);
CREATE INDEX "bulk_jobs_count_at_idx" ON "bulk_jobs" ("count_at") WHERE "open_count" > 0;

-- Replays had their limits in the filter, and counted only failures. Their runs are counted again.
UPDATE "bulk_jobs" SET "rate_per_minute" = ("filter" ->> 'ratePerMinute')::integer,
  "stop_after_failures" = ("filter" ->> 'stopAfterFailures')::integer,
  "filter" = ("filter"::jsonb - 'ratePerMinute' - 'stopAfterFailures')::json,
  "failed_count" = 0,
  "open_count" = (SELECT count(*) FROM "bulk_job_runs" "made" WHERE "made"."job_id" = "bulk_jobs"."id")
  WHERE "kind" = 'replay';
