-- Jobs that retry runs go on from the oldest, not from the newest. A run that such a job has retried isn't retried again.
UPDATE "bulk_jobs" SET "seen_before" = '00000000-0000-0000-0000-000000000000' WHERE "kind" = 'retry' AND "finished_at" IS NULL;
