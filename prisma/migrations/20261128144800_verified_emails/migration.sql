-- When it was last shown that the person reads this mailbox. Null: nobody knows, so no identity of an issuer is
-- linked by this email. No row tells it of people who exist: whoever invited them had their link too, and an email
-- could be changed without a message to it.
ALTER TABLE "users" ADD COLUMN "email_verified_at" TIMESTAMPTZ(3);

-- An email that a person wants to have. It counts once the link that was sent there is opened. One per person.
CREATE TABLE "email_changes" (
  "user_id" UUID NOT NULL,
  "email" TEXT NOT NULL,
  "token_hash" BYTEA NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "email_changes_pkey" PRIMARY KEY ("user_id")
);
CREATE UNIQUE INDEX "email_changes_token_hash_key" ON "email_changes"("token_hash");
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Its newest link was sent to the mailbox, and nobody else got it.
ALTER TABLE "invitations" ADD COLUMN "mailed" BOOLEAN NOT NULL DEFAULT false;

-- One identity per person and issuer: the newest stays, because a verified email linked it. Who has the others may
-- have made the person before, so their sessions end. A rejection stays.
DELETE FROM "sessions" WHERE "user_id" IN (
  SELECT "user_id" FROM "identities" GROUP BY "user_id", "issuer" HAVING count(*) > 1
);
UPDATE "identities" kept SET "rejected_at" = coalesce(kept."rejected_at", (
  SELECT max(other."rejected_at") FROM "identities" other
  WHERE other."user_id" = kept."user_id" AND other."issuer" = kept."issuer"
));
DELETE FROM "identities" other USING "identities" kept
WHERE kept."user_id" = other."user_id" AND kept."issuer" = other."issuer"
  AND (kept."created_at", kept."subject") > (other."created_at", other."subject");
DROP INDEX "identities_user_id_idx";
CREATE UNIQUE INDEX "identities_user_id_issuer_key" ON "identities"("user_id", "issuer");
