-- Workers look here whether a claim needs the parts for these actions.
CREATE INDEX "actions_controlled_idx" ON "actions"("id")
    WHERE breaker_failures IS NOT NULL OR order_by IS NOT NULL OR destination_ids <> '{}';
