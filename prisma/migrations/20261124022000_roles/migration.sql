-- What members may do, least first: see lib/schema/account/permissions.ts.
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_role_check"
  CHECK ("role" IN ('viewer', 'member', 'admin', 'owner'));

-- A token never may more than its maker. Null: it comes from the environment, or is older than this.
ALTER TABLE "api_tokens" ADD COLUMN "created_by" UUID;
CREATE INDEX "api_tokens_created_by_idx" ON "api_tokens"("created_by");
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_created_by_fkey"
  FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Processes keep tokens in memory. Another role of the maker, or none, changes what they may.
CREATE TRIGGER memberships_deleted AFTER DELETE ON "memberships"
  FOR EACH ROW EXECUTE FUNCTION notify_publishing_changed();
CREATE TRIGGER memberships_changed AFTER UPDATE OF "role" ON "memberships"
  FOR EACH ROW EXECUTE FUNCTION notify_publishing_changed();
