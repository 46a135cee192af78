-- Runs that wait until a person says what happened to a call: a page finds them among any number of others.
CREATE INDEX "queue_asking_idx" ON "queue" ("account_id", "target_id", "id") WHERE "reason_code" = 'outcome_unknown';
