-- Jobs that run actions on many past deliveries, with a rate, and can be paused.
ALTER TABLE "bulk_jobs" DROP CONSTRAINT "bulk_jobs_kind_check";
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_kind_check" CHECK ("kind" IN ('retry', 'cancel', 'accept', 'replay_missing', 'replay'));
ALTER TABLE "bulk_jobs" DROP CONSTRAINT "bulk_jobs_status_check";
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_status_check" CHECK ("status" IN ('running', 'paused', 'finished', 'cancelled'));
ALTER TABLE "bulk_jobs" DROP CONSTRAINT "bulk_jobs_finished_check";
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_finished_check" CHECK (("status" IN ('running', 'paused')) = ("finished_at" IS NULL));
ALTER TABLE "bulk_jobs" ADD COLUMN "next_at" TIMESTAMPTZ(3), ADD COLUMN "pause_reason" TEXT,
  ADD COLUMN "failed_count" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "failed_before" INTEGER NOT NULL DEFAULT 0;

-- The runs that a job has queued. Other runs have no row.
CREATE TABLE "bulk_job_runs" (
    "run_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "sent_by" UUID,

    CONSTRAINT "bulk_job_runs_pkey" PRIMARY KEY ("run_id")
);
CREATE INDEX "bulk_job_runs_job_id_idx" ON "bulk_job_runs"("job_id");
ALTER TABLE "bulk_job_runs" ADD CONSTRAINT "bulk_job_runs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
