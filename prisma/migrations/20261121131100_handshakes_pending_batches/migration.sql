-- A hook that waits for its first secret: when it began to. Null: it has one, or needs none.
ALTER TABLE "hooks" ADD COLUMN "pending_since" TIMESTAMPTZ(3);
-- Whether a body that holds several events becomes a delivery for each.
ALTER TABLE "hooks" ADD COLUMN "split_batches" BOOLEAN NOT NULL DEFAULT true;

-- A secret that the sender gave in a handshake may be shown to the hook's owner for a while; one that was pasted never is.
ALTER TABLE "hook_secrets" ADD COLUMN "origin" TEXT NOT NULL DEFAULT 'pasted';
ALTER TABLE "hook_secrets" ADD CONSTRAINT "hook_secrets_origin_check" CHECK ("origin" IN ('pasted', 'handshake'));

-- The request that this event came in, with others.
ALTER TABLE "deliveries" ADD COLUMN "batch_id" UUID;
CREATE INDEX "deliveries_batch_id_idx" ON "deliveries" ("batch_id") WHERE "batch_id" IS NOT NULL;
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_status_check";
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_status_check"
  CHECK ("status" IN ('accepted', 'duplicate', 'rejected', 'pending', 'handshake', 'batch'));
