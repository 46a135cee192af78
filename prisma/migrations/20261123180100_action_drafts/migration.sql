-- What a person typed into an action's editor and hasn't saved yet.
CREATE TABLE "action_drafts" (
    "user_id" UUID NOT NULL,
    "target_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "hook_id" UUID NOT NULL,
    "action_id" UUID,
    "version" INTEGER,
    "revision" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "action_drafts_pkey" PRIMARY KEY ("user_id", "target_id")
);
CREATE INDEX "action_drafts_hook_id_idx" ON "action_drafts"("hook_id");
CREATE INDEX "action_drafts_action_id_idx" ON "action_drafts"("action_id");
CREATE INDEX "action_drafts_account_id_user_id_idx" ON "action_drafts"("account_id", "user_id");
ALTER TABLE "action_drafts" ADD CONSTRAINT "action_drafts_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "memberships"("account_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "action_drafts" ADD CONSTRAINT "action_drafts_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "action_drafts" ADD CONSTRAINT "action_drafts_action_id_fkey" FOREIGN KEY ("action_id") REFERENCES "actions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "action_drafts" ADD CONSTRAINT "action_drafts_target_check" CHECK ("target_id" = COALESCE("action_id", "hook_id"));

-- What a backtest compares, and how much of what fails is no news.
ALTER TABLE "backtests" ADD COLUMN "version" INTEGER;
ALTER TABLE "backtests" ADD COLUMN "against" INTEGER;
ALTER TABLE "backtests" ADD COLUMN "still_fail_count" INTEGER NOT NULL DEFAULT 0;
