-- How many runs of an action start in how many seconds, over all workers. Null: no limit.
ALTER TABLE "actions" ADD COLUMN "rate_count" INTEGER, ADD COLUMN "rate_seconds" INTEGER;
ALTER TABLE "actions" ADD CONSTRAINT "actions_rate_check" CHECK ((rate_count IS NULL) = (rate_seconds IS NULL));
