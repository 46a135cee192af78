-- Set when an owner deletes the account. Access and secrets end at once, and its rows are removed later.
ALTER TABLE "accounts" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
