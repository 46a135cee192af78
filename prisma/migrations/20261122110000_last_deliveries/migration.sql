-- Kept by the roll-up: looking it up took one index step for each hook, status, and week.
CREATE TABLE "last_deliveries" (
    "hook_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "last_deliveries_pkey" PRIMARY KEY ("hook_id")
);
CREATE INDEX "last_deliveries_delivery_id_idx" ON "last_deliveries" ("delivery_id");
ALTER TABLE "last_deliveries" ADD CONSTRAINT "last_deliveries_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "last_deliveries" ("hook_id", "account_id", "delivery_id", "status", "received_at")
SELECT h."id", h."account_id", newest."id", newest."status", newest."received_at"
FROM "hooks" h CROSS JOIN LATERAL (
  SELECT of_status.* FROM unnest(array['accepted', 'duplicate', 'rejected', 'pending', 'handshake', 'batch']) AS wanted(status)
  CROSS JOIN LATERAL (
    SELECT "id", "status", "received_at" FROM "deliveries" d
    WHERE d."hook_id" = h."id" AND d."status" = wanted.status ORDER BY d."id" DESC LIMIT 1
  ) of_status
  ORDER BY of_status."id" DESC LIMIT 1
) newest
WHERE h."deleted_at" IS NULL;

-- Lists of a whole account by status. Most deliveries are accepted, and pay nothing for it.
CREATE INDEX "deliveries_account_id_status_id_idx" ON "deliveries" ("account_id", "status", "id") WHERE "status" <> 'accepted';

-- Runs that wait for another attempt are found among a million that wait for their first one, which
-- pay nothing for it.
CREATE INDEX "queue_retrying_idx" ON "queue" ("account_id", "target_id", "id") WHERE "reason_code" IS NOT NULL;
