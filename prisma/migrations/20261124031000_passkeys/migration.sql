-- Passkeys (WebAuthn): a sign-in without a password.
CREATE TABLE "passkeys" (
  "id" TEXT NOT NULL,
  "user_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "public_key" BYTEA NOT NULL,
  "counter" BIGINT NOT NULL,
  "transports" TEXT[],
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" TIMESTAMPTZ(3),

  CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Challenges that were answered, until they expire: each is good for one answer.
CREATE TABLE "used_challenges" (
  "challenge_hash" BYTEA NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "used_challenges_pkey" PRIMARY KEY ("challenge_hash")
);
