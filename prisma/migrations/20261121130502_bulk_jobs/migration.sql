-- A retry by hand begins a new round of attempts: the policy counts from here.
ALTER TABLE "runs" ADD COLUMN "attempts_before" INTEGER NOT NULL DEFAULT 0;

-- History of one action by a state that few runs are in. A run that is queued is in none of them, so that storing a delivery pays nothing.
CREATE INDEX "runs_target_id_state_id_idx" ON "runs" ("target_id", "state", "id")
  WHERE "state" IN ('retrying', 'failed', 'skipped', 'cancelled');

CREATE TABLE "bulk_jobs" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "filter" JSON NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "total" INTEGER,
    "changed_count" INTEGER NOT NULL DEFAULT 0,
    "seen_before" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_jobs_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_kind_check" CHECK ("kind" IN ('retry', 'cancel'));
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_status_check" CHECK ("status" IN ('running', 'finished', 'cancelled'));
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_finished_check" CHECK (("status" = 'running') = ("finished_at" IS NULL));
CREATE INDEX "bulk_jobs_account_id_id_idx" ON "bulk_jobs"("account_id", "id");
CREATE INDEX "bulk_jobs_running_idx" ON "bulk_jobs" ("id") WHERE "finished_at" IS NULL;
