-- A person at the operator's identity provider, and the user that they are here.
CREATE TABLE "identities" (
  "issuer" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "user_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_sign_in_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "rejected_at" TIMESTAMPTZ(3),

  CONSTRAINT "identities_pkey" PRIMARY KEY ("issuer", "subject")
);
CREATE INDEX "identities_user_id_idx" ON "identities"("user_id");
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- After a reset on the machine, a password works for an hour even where only single sign-on does.
ALTER TABLE "users" ADD COLUMN "password_allowed_until" TIMESTAMPTZ(3);
