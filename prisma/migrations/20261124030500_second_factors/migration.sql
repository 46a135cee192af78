-- Two-factor authentication: the secret that an authenticator app shares, and codes for when it is lost.
CREATE TABLE "totp_secrets" (
  "user_id" UUID NOT NULL,
  "ciphertext" BYTEA NOT NULL,
  "last_step" BIGINT NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "confirmed_at" TIMESTAMPTZ(3),

  CONSTRAINT "totp_secrets_pkey" PRIMARY KEY ("user_id")
);
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "recovery_codes" (
  "user_id" UUID NOT NULL,
  "code_hash" BYTEA NOT NULL,

  CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id", "code_hash")
);
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
