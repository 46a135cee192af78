-- Notices that no one of the account sees again, such as that providers can't reach localhost.
ALTER TABLE "accounts" ADD COLUMN "dismissed_notices" TEXT[] DEFAULT ARRAY[]::TEXT[];
