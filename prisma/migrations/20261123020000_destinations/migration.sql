-- Credentials that calls of the account use. The secret parts are sealed and bound to their row.
CREATE TABLE "credentials" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "settings" JSON NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "credentials_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "credentials_kind_check" CHECK ("kind" IN ('bearer', 'basic', 'header', 'query', 'oauth2', 'hmac', 'certificate'))
);
CREATE INDEX "credentials_account_id_id_idx" ON "credentials" ("account_id", "id");
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A receiver that many actions share, with its limits.
CREATE TABLE "destinations" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "credential_id" UUID,
    "max_concurrency" INTEGER,
    "rate_count" INTEGER,
    "rate_seconds" INTEGER,
    "breaker_failures" INTEGER,
    "breaker_window_seconds" INTEGER,
    "breaker_open_seconds" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "destinations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "destinations_rate_check" CHECK (("rate_count" IS NULL) = ("rate_seconds" IS NULL)),
    CONSTRAINT "destinations_breaker_check" CHECK (num_nulls("breaker_failures", "breaker_window_seconds", "breaker_open_seconds") IN (0, 3))
);
CREATE INDEX "destinations_account_id_id_idx" ON "destinations" ("account_id", "id");
CREATE INDEX "destinations_credential_id_idx" ON "destinations" ("credential_id");
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_credential_id_fkey"
  FOREIGN KEY ("credential_id") REFERENCES "credentials" ("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- What the calls of an action name in their requests, in the order of the calls.
ALTER TABLE "actions" ADD COLUMN "destination_ids" UUID[] DEFAULT ARRAY[]::UUID[], ADD COLUMN "credential_ids" UUID[] DEFAULT ARRAY[]::UUID[];
