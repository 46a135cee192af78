-- The foundation. Tables are those of schema.prisma; what follows them is what Prisma has no words for.

CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "session_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "memberships" (
    "account_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("account_id","user_id")
);

CREATE TABLE "setup_tokens" (
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "setup_tokens_pkey" PRIMARY KEY ("token_hash")
);

CREATE TABLE "api_tokens" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "sign_in_throttles" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "blocked_until" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_throttles_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "hooks" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "provider" TEXT NOT NULL,
    "verification" JSON,
    "dedupe" JSON,
    "event_type" JSON,
    "methods" TEXT[],
    "response" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "hooks_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "hook_secrets" (
    "id" UUID NOT NULL,
    "hook_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "hook_secrets_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "dedupe_keys" (
    "hook_id" UUID NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "delivery_id" UUID NOT NULL,
    "seen_count" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dedupe_keys_pkey" PRIMARY KEY ("hook_id","key_hash")
);

CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "hook_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "detail" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "headers" JSON NOT NULL,
    "content_type" TEXT,
    "body_size" INTEGER NOT NULL,
    "body" BYTEA NOT NULL,
    "event_id" TEXT,
    "event_type" TEXT,
    "duplicate_of" UUID,
    "verification_outcome" TEXT NOT NULL,
    "verification_scheme" TEXT,
    "source_ip" TEXT NOT NULL,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
) PARTITION BY RANGE ("id");

CREATE TABLE "rejected_counts" (
    "hook_id" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "rejected_counts_pkey" PRIMARY KEY ("hook_id","minute","reason")
);

CREATE TABLE "actions" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "hook_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "position" INTEGER NOT NULL DEFAULT 0,
    "filter" JSON,
    "request" JSON NOT NULL,
    "auth_ciphertext" BYTEA,
    "timeout_ms" INTEGER NOT NULL,
    "retry" JSON,
    "max_concurrency" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "actions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "event_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "receiver_url" TEXT NOT NULL,
    "event_types" TEXT[],
    "description" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "subscription_secrets" (
    "id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "subscription_secrets_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "target_id" UUID NOT NULL,
    "hook_id" UUID,
    "delivery_id" UUID,
    "event_id" UUID,
    "action_id" UUID,
    "subscription_id" UUID,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "crash_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_id" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "worker_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 50);

-- Half of each page is left free, so that a claim finds room beside the row it changes and touches no index (measured: 94 % of
-- claims, against 38 % at 80). Finished rows leave the queue's index at once and are swept early: a claim stays as quick as on the first day.
ALTER TABLE "runs" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.05);

CREATE TABLE "attempts" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "request" JSON,
    "response" JSON,
    "error_code" TEXT,
    "error_message" TEXT,
    "late" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("id")
) PARTITION BY RANGE ("id");

CREATE TABLE "workers" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "seal_check" (
    "id" INTEGER NOT NULL DEFAULT 1 CHECK ("id" = 1),
    "key_id" TEXT NOT NULL,

    CONSTRAINT "seal_check_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "idempotency_keys" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("account_id","key")
);
CREATE UNIQUE INDEX "accounts_slug_key" ON "accounts"("slug");
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");
CREATE UNIQUE INDEX "api_tokens_token_hash_key" ON "api_tokens"("token_hash");
CREATE INDEX "api_tokens_account_id_id_idx" ON "api_tokens"("account_id", "id");
CREATE UNIQUE INDEX "hooks_key_key" ON "hooks"("key");
CREATE INDEX "hooks_account_id_id_idx" ON "hooks"("account_id", "id");
CREATE INDEX "hook_secrets_hook_id_idx" ON "hook_secrets"("hook_id");
CREATE INDEX "deliveries_account_id_id_idx" ON "deliveries"("account_id", "id");
CREATE INDEX "deliveries_hook_id_status_id_idx" ON "deliveries"("hook_id", "status", "id");
CREATE INDEX "deliveries_hook_id_event_type_status_id_idx" ON "deliveries"("hook_id", "event_type", "status", "id");
CREATE INDEX "actions_hook_id_idx" ON "actions"("hook_id");
CREATE INDEX "actions_account_id_idx" ON "actions"("account_id");
CREATE INDEX "events_account_id_id_idx" ON "events"("account_id", "id");
CREATE UNIQUE INDEX "events_account_id_event_id_key" ON "events"("account_id", "event_id");
CREATE INDEX "subscriptions_account_id_id_idx" ON "subscriptions"("account_id", "id");
CREATE INDEX "subscription_secrets_subscription_id_idx" ON "subscription_secrets"("subscription_id");
CREATE INDEX "runs_delivery_id_idx" ON "runs"("delivery_id");
CREATE INDEX "runs_account_id_state_id_idx" ON "runs"("account_id", "state", "id");
CREATE INDEX "attempts_run_id_idx" ON "attempts"("run_id");
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "hooks" ADD CONSTRAINT "hooks_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "hook_secrets" ADD CONSTRAINT "hook_secrets_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "actions" ADD CONSTRAINT "actions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "actions" ADD CONSTRAINT "actions_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "subscription_secrets" ADD CONSTRAINT "subscription_secrets_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- States are closed sets.
ALTER TABLE "hooks" ADD CONSTRAINT "hooks_status_check" CHECK ("status" IN ('active', 'paused', 'disabled'));
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_status_check" CHECK ("status" IN ('accepted', 'duplicate', 'rejected'));
ALTER TABLE "runs" ADD CONSTRAINT "runs_state_check" CHECK ("state" IN ('queued', 'retrying', 'succeeded', 'failed', 'skipped', 'cancelled'));
ALTER TABLE "runs" ADD CONSTRAINT "runs_finished_check" CHECK (("state" IN ('queued', 'retrying')) = ("finished_at" IS NULL));

-- The queue. Only open runs are in it, by lane (account, target) and then by when they are due. A claim changes
-- none of these columns, so that it is a heap-only update.
CREATE INDEX "runs_lane_idx" ON "runs" ("account_id", "target_id", "due_at") WHERE "finished_at" IS NULL;
-- History of one action or subscription.
CREATE INDEX "runs_target_id_id_idx" ON "runs" ("target_id", "id");

-- Look-ups by event id need equality only; a hash stays small whatever the length of the id.
CREATE INDEX "deliveries_event_id_idx" ON "deliveries" USING hash ("event_id");
CREATE INDEX "deliveries_duplicate_of_idx" ON "deliveries" ("duplicate_of") WHERE "duplicate_of" IS NOT NULL;

-- Deleted hooks that still have rows to remove.
CREATE INDEX "hooks_deleted_at_idx" ON "hooks" ("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- UUIDv7 (RFC 9562 section 5.7) in SQL, because uuidv7() exists from PostgreSQL 18 on and we run from 15 on.
CREATE FUNCTION uuid_v7_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

-- The smallest id of an instant: a bound of partitions and of time ranges.
CREATE FUNCTION uuid_v7_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Weekly partitions (Monday, UTC) of a table that is partitioned by UUIDv7, from one instant to another.
-- Safe to call from many processes at once.
CREATE FUNCTION ensure_weekly_partitions(parent text, first_at timestamptz, last_at timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  week timestamptz := date_trunc('week', first_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  child text;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_weekly_partitions'));
  WHILE week <= last_at LOOP
    child := parent || '_' || to_char(week AT TIME ZONE 'UTC', 'YYYYMMDD');
    IF to_regclass(child) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        child, parent, uuid_v7_floor(week), uuid_v7_floor(week + interval '7 days'));
      made := made + 1;
    END IF;
    week := week + interval '7 days';
  END LOOP;
  RETURN made;
END $$;

-- A clock that is far off must not cost a delivery: what fits no week lands here.
CREATE TABLE "deliveries_default" PARTITION OF "deliveries" DEFAULT;
CREATE TABLE "attempts_default" PARTITION OF "attempts" DEFAULT;
SELECT ensure_weekly_partitions('deliveries', now() - interval '7 days', now() + interval '28 days');
SELECT ensure_weekly_partitions('attempts', now() - interval '7 days', now() + interval '28 days');

-- Every process keeps hooks in memory for a moment; a change tells them all, from inside the same transaction.
CREATE FUNCTION notify_hook_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM pg_notify('hook_changed', to_jsonb(OLD) ->> TG_ARGV[0]);
  ELSE
    PERFORM pg_notify('hook_changed', to_jsonb(NEW) ->> TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER hooks_changed AFTER INSERT OR UPDATE OR DELETE ON "hooks"
  FOR EACH ROW EXECUTE FUNCTION notify_hook_changed('id');
CREATE TRIGGER hook_secrets_changed AFTER INSERT OR UPDATE OR DELETE ON "hook_secrets"
  FOR EACH ROW EXECUTE FUNCTION notify_hook_changed('hook_id');

-- Keys are inserted in the order of time and deleted by age: a block range index is enough, and costs next to nothing.
CREATE INDEX "dedupe_keys_created_at_idx" ON "dedupe_keys" USING brin ("created_at");
