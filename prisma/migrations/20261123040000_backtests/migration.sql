-- Runs a draft of an action against stored deliveries without sending anything.
CREATE TABLE "backtests" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "hook_id" UUID NOT NULL,
    "action_id" UUID,
    "status" TEXT NOT NULL DEFAULT 'running',
    "draft" JSON NOT NULL,
    "draft_auth" BYTEA,
    "current" JSON,
    "current_auth" BYTEA,
    "answers" JSON,
    "first_id" UUID NOT NULL,
    "seen_before" UUID NOT NULL,
    "total" INTEGER NOT NULL,
    "done_count" INTEGER NOT NULL DEFAULT 0,
    "run_count" INTEGER NOT NULL DEFAULT 0,
    "skip_count" INTEGER NOT NULL DEFAULT 0,
    "fail_count" INTEGER NOT NULL DEFAULT 0,
    "changed_count" INTEGER NOT NULL DEFAULT 0,
    "stored_chars" BIGINT NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "backtests_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "backtests_hook_id_id_idx" ON "backtests"("hook_id", "id");
CREATE INDEX "backtests_account_id_id_idx" ON "backtests"("account_id", "id");
CREATE INDEX "backtests_running_idx" ON "backtests"("id") WHERE "finished_at" IS NULL;
ALTER TABLE "backtests" ADD CONSTRAINT "backtests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "backtests" ADD CONSTRAINT "backtests_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "backtests" ADD CONSTRAINT "backtests_status_check" CHECK ("status" IN ('running', 'finished', 'cancelled'));
ALTER TABLE "backtests" ADD CONSTRAINT "backtests_finished_check" CHECK (("status" = 'running') = ("finished_at" IS NULL));

CREATE TABLE "backtest_results" (
    "backtest_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "outcome" TEXT NOT NULL,
    "current_outcome" TEXT,
    "is_changed" BOOLEAN NOT NULL,
    "code" TEXT,
    "message" TEXT,
    "details" JSON NOT NULL,

    CONSTRAINT "backtest_results_pkey" PRIMARY KEY ("backtest_id", "delivery_id")
);
ALTER TABLE "backtest_results" ADD CONSTRAINT "backtest_results_backtest_id_fkey" FOREIGN KEY ("backtest_id") REFERENCES "backtests"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "backtest_results" ADD CONSTRAINT "backtest_results_outcome_check" CHECK ("outcome" IN ('run', 'skip', 'fail'));
