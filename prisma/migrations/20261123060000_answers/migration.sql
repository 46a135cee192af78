-- Which action of a hook answers the provider, and with what. Null: none.
ALTER TABLE "hooks" ADD COLUMN "answer" JSON;

-- What an action's run answers to the provider of its delivery, and what the provider got. `id` is
-- the delivery's. Only hooks with an answer have rows. Partitioned by it, like deliveries.
CREATE TABLE "answers" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "run_id" UUID,
    "status" INTEGER,
    "headers" JSON,
    "body" TEXT,
    "problem" TEXT,
    "sent_as" TEXT,
    "sent_status" INTEGER,
    "sent_after_ms" INTEGER,
    CONSTRAINT "answers_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "answers_sent_as_check" CHECK (sent_as IN ('answer', 'none', 'timeout', 'busy', 'closed', 'stopping'))
) PARTITION BY RANGE ("id");
CREATE TABLE "answers_default" PARTITION OF "answers" DEFAULT;
SELECT ensure_weekly_partitions('answers', now() - interval '7 days', now() + interval '28 days');

-- Catch processes don't wait for an action that doesn't run.
CREATE TRIGGER "actions_notify_hook" AFTER UPDATE OF "enabled", "deleted_at" ON "actions"
  FOR EACH ROW WHEN (OLD.enabled IS DISTINCT FROM NEW.enabled OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION notify_hook_changed('hook_id');
