-- Every save of what an action does is a version, and a run records the one that it ended with.
ALTER TABLE "actions" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "runs" ADD COLUMN "version" INTEGER;

CREATE TABLE "action_versions" (
    "action_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "account_id" UUID NOT NULL,
    "author" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "content" JSON NOT NULL,
    "auths" JSON,
    "summary" TEXT,
    "restored_from" INTEGER,
    CONSTRAINT "action_versions_pkey" PRIMARY KEY ("action_id", "version"),
    CONSTRAINT "action_versions_action_id_fkey" FOREIGN KEY ("action_id") REFERENCES "actions"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- What there is already is version 1.
INSERT INTO "action_versions" (action_id, version, account_id, created_at, content, auths)
SELECT id, 1, account_id, updated_at,
    json_build_object('filter', filter, 'request', request, 'steps', steps, 'retry', coalesce(retry, '{}'::json),
        'rateLimit', CASE WHEN rate_count IS NOT NULL THEN json_build_object('count', rate_count, 'perSeconds', rate_seconds) END,
        'timeoutMs', timeout_ms, 'maxConcurrency', max_concurrency),
    CASE WHEN auth_ciphertext IS NULL THEN '{}'::json END
FROM "actions" WHERE deleted_at IS NULL;
