-- The newest try to archive a week. Another process may have started one while an older one is read back.
ALTER TABLE "archived_weeks" ADD COLUMN "try_id" UUID;
