-- The filters and columns of a list under a name, for everyone of the account.
CREATE TABLE "saved_views" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "params" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "saved_views_list_check" CHECK ("list" IN ('deliveries', 'runs'))
);
CREATE INDEX "saved_views_account_id_id_idx" ON "saved_views"("account_id", "id");
CREATE UNIQUE INDEX "saved_views_account_id_list_name_key" ON "saved_views"("account_id", "list", "name");
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
