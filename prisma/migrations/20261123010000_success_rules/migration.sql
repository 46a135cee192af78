-- Which answers are a success. Null: every 2xx.
ALTER TABLE "actions" ADD COLUMN "success" JSON;
-- When a user last retried the run. Null: never.
ALTER TABLE "queue" ADD COLUMN "retried_at" TIMESTAMPTZ(3);
