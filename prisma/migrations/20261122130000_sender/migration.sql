-- The sender: published events, the subscriptions that they go to, and who manages those. Nothing
-- has ever written to the tables that the foundation had for this.
DROP TABLE "subscription_secrets";
DROP TABLE "subscriptions";
DROP TABLE "events";

-- An event is written once. Partitioned by id, like deliveries.
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "public_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "recipient" TEXT,
    "occurred_at" TIMESTAMPTZ(3),
    "body" BYTEA NOT NULL,
    "delivery_id" UUID,
    "warning" TEXT,
    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
) PARTITION BY RANGE ("id");
CREATE INDEX "events_account_id_id_idx" ON "events" ("account_id", "id");
CREATE INDEX "events_account_id_type_id_idx" ON "events" ("account_id", "type", "id");
CREATE INDEX "events_account_id_recipient_id_idx" ON "events" ("account_id", "recipient", "id") WHERE "recipient" IS NOT NULL;
CREATE INDEX "events_delivery_id_idx" ON "events" ("delivery_id") WHERE "delivery_id" IS NOT NULL;
CREATE TABLE "events_default" PARTITION OF "events" DEFAULT;
SELECT ensure_weekly_partitions('events', now() - interval '7 days', now() + interval '28 days');

-- The id that a publisher gave, and what it gave it to. The unique key decides what is a repeat.
CREATE TABLE "event_keys" (
    "key" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "content" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_count" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "event_keys_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "event_keys_created_at_idx" ON "event_keys" USING brin ("created_at");

CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "recipient" TEXT,
    "receiver_url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[],
    "filter" JSON,
    "headers_ciphertext" BYTEA,
    "rate_count" INTEGER,
    "rate_seconds" INTEGER,
    "max_concurrency" INTEGER,
    "ordered" BOOLEAN NOT NULL DEFAULT false,
    "key_pair" BOOLEAN NOT NULL DEFAULT false,
    "metadata" JSON,
    "retry" JSON,
    "timeout_ms" INTEGER NOT NULL DEFAULT 15000,
    "status" TEXT NOT NULL DEFAULT 'active',
    "status_reason" TEXT,
    "created_by_portal" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "subscriptions_status_check" CHECK ("status" IN ('active', 'disabled', 'pending')),
    CONSTRAINT "subscriptions_rate_check" CHECK (("rate_count" IS NULL) = ("rate_seconds" IS NULL))
);
CREATE INDEX "subscriptions_account_id_id_idx" ON "subscriptions" ("account_id", "id");
CREATE INDEX "subscriptions_account_id_recipient_id_idx" ON "subscriptions" ("account_id", "recipient", "id") WHERE "recipient" IS NOT NULL;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One row per pattern: an event asks for the patterns that its type matches, and nothing is scanned.
CREATE TABLE "subscription_patterns" (
    "account_id" UUID NOT NULL,
    "recipient" TEXT NOT NULL DEFAULT '',
    "pattern" TEXT NOT NULL,
    "subscription_id" UUID NOT NULL,
    CONSTRAINT "subscription_patterns_pkey" PRIMARY KEY ("account_id", "recipient", "pattern", "subscription_id")
);
CREATE INDEX "subscription_patterns_subscription_id_idx" ON "subscription_patterns" ("subscription_id");
ALTER TABLE "subscription_patterns" ADD CONSTRAINT "subscription_patterns_subscription_id_fkey"
  FOREIGN KEY ("subscription_id") REFERENCES "subscriptions" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "subscription_secrets" (
    "id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'hmac',
    "ciphertext" BYTEA NOT NULL,
    "public_key" TEXT,
    "hint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    CONSTRAINT "subscription_secrets_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "subscription_secrets_kind_check" CHECK ("kind" IN ('hmac', 'ed25519'))
);
CREATE INDEX "subscription_secrets_subscription_id_idx" ON "subscription_secrets" ("subscription_id");
ALTER TABLE "subscription_secrets" ADD CONSTRAINT "subscription_secrets_subscription_id_fkey"
  FOREIGN KEY ("subscription_id") REFERENCES "subscriptions" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Only subscriptions that fail have a row, and those that were told about.
CREATE TABLE "subscription_health" (
    "subscription_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "failing_since" TIMESTAMPTZ(3) NOT NULL,
    "warned_at" TIMESTAMPTZ(3),
    CONSTRAINT "subscription_health_pkey" PRIMARY KEY ("subscription_id")
);
CREATE INDEX "subscription_health_failing_since_idx" ON "subscription_health" ("failing_since");
ALTER TABLE "subscription_health" ADD CONSTRAINT "subscription_health_subscription_id_fkey"
  FOREIGN KEY ("subscription_id") REFERENCES "subscriptions" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The last position that an ordered subscription gave to a run. Its row lock makes positions follow
-- the order of commits.
CREATE TABLE "subscription_positions" (
    "subscription_id" UUID NOT NULL,
    "last_position" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "subscription_positions_pkey" PRIMARY KEY ("subscription_id")
);
ALTER TABLE "subscription_positions" ADD CONSTRAINT "subscription_positions_subscription_id_fkey"
  FOREIGN KEY ("subscription_id") REFERENCES "subscriptions" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- When the next call of a target with a rate limit may start, over all workers.
CREATE TABLE "target_rates" (
    "target_id" UUID NOT NULL,
    "next_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "target_rates_pkey" PRIMARY KEY ("target_id")
);

ALTER TABLE "queue" ADD COLUMN "position" BIGINT;
CREATE INDEX "queue_position_idx" ON "queue" ("account_id", "target_id", "position") WHERE "position" IS NOT NULL;
-- Runs of an event that were made later, by a resend.
CREATE INDEX "queue_event_id_idx" ON "queue" ("event_id") WHERE "event_id" IS NOT NULL AND "has_own_id";
CREATE INDEX "runs_event_id_idx" ON "runs" ("event_id") WHERE "event_id" IS NOT NULL AND "has_own_id";

CREATE TABLE "event_types" (
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "schema" JSON,
    "example" JSON,
    "deprecated" BOOLEAN NOT NULL DEFAULT false,
    "on_mismatch" TEXT NOT NULL DEFAULT 'warn',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "event_types_pkey" PRIMARY KEY ("account_id", "name"),
    CONSTRAINT "event_types_on_mismatch_check" CHECK ("on_mismatch" IN ('warn', 'reject'))
);
ALTER TABLE "event_types" ADD CONSTRAINT "event_types_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "recipients" (
    "account_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT,
    "metadata" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "recipients_pkey" PRIMARY KEY ("account_id", "id")
);
ALTER TABLE "recipients" ADD CONSTRAINT "recipients_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A link to the portal. Only the SHA-256 of its token is stored.
CREATE TABLE "portal_links" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "recipient" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "capabilities" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "portal_links_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "portal_links_token_hash_key" ON "portal_links" ("token_hash");
CREATE INDEX "portal_links_account_id_recipient_id_idx" ON "portal_links" ("account_id", "recipient", "id");
ALTER TABLE "portal_links" ADD CONSTRAINT "portal_links_account_id_recipient_fkey"
  FOREIGN KEY ("account_id", "recipient") REFERENCES "recipients" ("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- How an account sends: what its portal looks like, where it may be embedded, and whether a new
-- receiver URL has to prove that it wants events.
CREATE TABLE "sender_settings" (
    "account_id" UUID NOT NULL,
    "portal_name" TEXT,
    "portal_color" TEXT,
    "portal_logo" TEXT,
    "portal_origins" TEXT[],
    "challenge_new_urls" BOOLEAN NOT NULL DEFAULT false,
    "is_catalog_public" BOOLEAN NOT NULL DEFAULT false,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "sender_settings_pkey" PRIMARY KEY ("account_id")
);
ALTER TABLE "sender_settings" ADD CONSTRAINT "sender_settings_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What an account should know: a subscription is about to be disabled, or was.
CREATE TABLE "notices" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subscription_id" UUID NOT NULL,
    "detail" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dismissed_at" TIMESTAMPTZ(3),
    CONSTRAINT "notices_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notices_kind_check" CHECK ("kind" IN ('subscription_failing', 'subscription_disabled'))
);
CREATE INDEX "notices_account_id_id_idx" ON "notices" ("account_id", "id");
CREATE INDEX "notices_subscription_id_idx" ON "notices" ("subscription_id");
ALTER TABLE "notices" ADD CONSTRAINT "notices_subscription_id_fkey"
  FOREIGN KEY ("subscription_id") REFERENCES "subscriptions" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A hook can publish the deliveries that it accepts: `{eventType, recipientPath}`. Null: it doesn't.
ALTER TABLE "hooks" ADD COLUMN "publish" JSON;

-- Processes keep tokens and event types in memory for a moment. A change tells them all, from
-- inside the same transaction.
CREATE FUNCTION notify_publishing_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('publishing_changed', coalesce(to_jsonb(NEW) ->> 'account_id', to_jsonb(OLD) ->> 'account_id'));
  RETURN NULL;
END $$;
CREATE TRIGGER event_types_changed AFTER INSERT OR UPDATE OR DELETE ON "event_types"
  FOR EACH ROW EXECUTE FUNCTION notify_publishing_changed();
CREATE TRIGGER api_tokens_deleted AFTER DELETE ON "api_tokens"
  FOR EACH ROW EXECUTE FUNCTION notify_publishing_changed();
-- Its last use is written every minute and changes nothing.
CREATE TRIGGER api_tokens_changed AFTER UPDATE OF "revoked_at", "expires_at", "scopes", "token_hash" ON "api_tokens"
  FOR EACH ROW EXECUTE FUNCTION notify_publishing_changed();
