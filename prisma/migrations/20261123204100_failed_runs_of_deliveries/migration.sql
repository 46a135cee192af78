-- Finds the deliveries whose runs failed, newest first. Runs that didn't fail pay nothing for it.
CREATE INDEX "runs_failed_delivery_idx" ON "runs" ("hook_id", "delivery_id") WHERE "state" = 'failed' AND "hook_id" IS NOT NULL;
