-- The account that a session shows. Null: the one that its user joined first.
ALTER TABLE "sessions" ADD COLUMN "account_id" UUID;
UPDATE "sessions" SET "account_id" = (
  SELECT "account_id" FROM "memberships" WHERE "user_id" = "sessions"."user_id"
  ORDER BY "created_at", "account_id" LIMIT 1
);
CREATE INDEX "sessions_account_id_idx" ON "sessions"("account_id");
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- An open invitation. It is deleted once it is accepted or revoked. Only the SHA-256 of its token is stored.
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invitations_role_check" CHECK ("role" IN ('viewer', 'member', 'admin', 'owner'))
);
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");
CREATE UNIQUE INDEX "invitations_account_id_email_key" ON "invitations"("account_id", "email");
CREATE INDEX "invitations_invited_by_idx" ON "invitations"("invited_by");
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_fkey"
  FOREIGN KEY ("invited_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
