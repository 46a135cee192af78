-- Where an account's audit log is sent, and how far it has come. See
-- docs/decisions/platform/098-the-audit-log-is-sent-by-its-numbers.md.
CREATE TABLE "audit_receivers" (
    "account_id" UUID NOT NULL,
    "receiver_url" TEXT NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "sent_seq" BIGINT NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "failure" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_id" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_receivers_pkey" PRIMARY KEY ("account_id")
);
ALTER TABLE "audit_receivers" ADD CONSTRAINT "audit_receivers_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
