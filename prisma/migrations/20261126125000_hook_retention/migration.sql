-- For how long, and how many of its newest deliveries a hook keeps. Null: as the installation does.
ALTER TABLE "hooks" ADD COLUMN "retention_days" INTEGER, ADD COLUMN "retention_count" INTEGER;
