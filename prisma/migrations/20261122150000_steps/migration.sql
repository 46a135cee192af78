-- Actions with several steps. One with a single call keeps its request and has no steps.
ALTER TABLE "actions" ALTER COLUMN "request" DROP NOT NULL;
ALTER TABLE "actions" ADD COLUMN "steps" JSON;
ALTER TABLE "actions" ADD CONSTRAINT "actions_one_or_more_steps" CHECK ((request IS NULL) <> (steps IS NULL));

-- The effect ledger: what each step of a run did, written before the next step begins. `id` is the
-- run's. Partitioned by it, like runs.
CREATE TABLE "run_steps" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "item" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER,
    "request" TEXT,
    "response" TEXT,
    "result" TEXT,
    "error_code" TEXT,
    "error_message" TEXT,
    CONSTRAINT "run_steps_pkey" PRIMARY KEY ("id", "key", "item"),
    CONSTRAINT "run_steps_state_check" CHECK (state IN ('calling', 'waiting', 'retrying', 'unknown', 'succeeded', 'failed', 'skipped'))
) PARTITION BY RANGE ("id");
CREATE TABLE "run_steps_default" PARTITION OF "run_steps" DEFAULT;
SELECT ensure_weekly_partitions('run_steps', now() - interval '7 days', now() + interval '28 days');

-- Which step an attempt belongs to. Null: the action has one call.
ALTER TABLE "attempts" ADD COLUMN "step" TEXT, ADD COLUMN "item" INTEGER;
