-- A view that everyone sees first, and half a minute in which a deleted one can be restored.
ALTER TABLE "saved_views" ADD COLUMN "is_default" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "saved_views" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
DROP INDEX "saved_views_account_id_list_name_key";
CREATE UNIQUE INDEX "saved_views_account_id_list_name_key" ON "saved_views"("account_id", "list", "name") WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX "saved_views_account_id_list_key" ON "saved_views"("account_id", "list") WHERE is_default AND deleted_at IS NULL;
