-- A template: runs whose value is the same run one after the other. Null: they don't.
ALTER TABLE "actions" ADD COLUMN "order_by" TEXT, ADD COLUMN "order_skip_seconds" INTEGER;
ALTER TABLE "actions" ADD CONSTRAINT "actions_order_check" CHECK (order_skip_seconds IS NULL OR order_by IS NOT NULL);

-- A hash of that value. The least number: a worker has to find out. Null: not ordered.
ALTER TABLE "queue" ADD COLUMN "order_key" BIGINT;
CREATE INDEX "queue_order_idx" ON "queue"("account_id", "target_id", "order_key", "id") WHERE order_key IS NOT NULL;

-- The transaction that last started runs of an ordered action. Other actions have no row.
CREATE TABLE "target_turns" (
    "target_id" UUID NOT NULL,
    "transaction_id" BIGINT,

    CONSTRAINT "target_turns_pkey" PRIMARY KEY ("target_id")
);
