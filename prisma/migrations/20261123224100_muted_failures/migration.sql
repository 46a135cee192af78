-- Failures that a person doesn't want to see for now, by action or subscription and reason.
CREATE TABLE "muted_failures" (
    "target_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "action_id" UUID,
    "subscription_id" UUID,
    "version" INTEGER,
    "muted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "muted_failures_pkey" PRIMARY KEY ("target_id", "reason")
);
CREATE INDEX "muted_failures_account_id_idx" ON "muted_failures"("account_id");
CREATE INDEX "muted_failures_action_id_idx" ON "muted_failures"("action_id");
CREATE INDEX "muted_failures_subscription_id_idx" ON "muted_failures"("subscription_id");
ALTER TABLE "muted_failures" ADD CONSTRAINT "muted_failures_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "muted_failures" ADD CONSTRAINT "muted_failures_action_id_fkey" FOREIGN KEY ("action_id") REFERENCES "actions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "muted_failures" ADD CONSTRAINT "muted_failures_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "muted_failures" ADD CONSTRAINT "muted_failures_target_check" CHECK ("target_id" = COALESCE("action_id", "subscription_id"));
