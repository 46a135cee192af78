-- The attempts of a step before its run was last retried manually. Its retry policy counts from there.
ALTER TABLE "run_steps" ADD COLUMN "attempts_before" INTEGER NOT NULL DEFAULT 0;

-- Runs that were retried before and are still open.
UPDATE "run_steps" SET "attempts_before" = "attempt_count"
WHERE "id" IN (SELECT "id" FROM "queue" WHERE "attempts_before" > 0);
