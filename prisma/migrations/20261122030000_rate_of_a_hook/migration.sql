ALTER TABLE "hooks" ADD COLUMN "rate_per_second" INTEGER;
