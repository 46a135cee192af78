-- Sends a subscription the events that it was never sent.
ALTER TABLE "bulk_jobs" DROP CONSTRAINT "bulk_jobs_kind_check";
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_kind_check" CHECK ("kind" IN ('retry', 'cancel', 'accept', 'replay_missing'));
