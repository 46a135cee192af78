-- Many rejected deliveries, accepted in the background. changed_count is how many were new events; these say what became of the others.
ALTER TABLE "bulk_jobs" DROP CONSTRAINT "bulk_jobs_kind_check";
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_kind_check" CHECK ("kind" IN ('retry', 'cancel', 'accept'));
ALTER TABLE "bulk_jobs" ADD COLUMN "duplicate_count" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "bulk_jobs" ADD COLUMN "rejected_count" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "bulk_jobs" ADD COLUMN "not_stored_count" INTEGER NOT NULL DEFAULT 0;
