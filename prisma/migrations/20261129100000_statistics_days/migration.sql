-- Counts by day, summed in the background from those of the hours, so that 30 days of many hooks are few rows.
CREATE TABLE "statistics_days" (
    "day" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "statistics_days_pkey" PRIMARY KEY ("day")
);
CREATE TABLE "hook_days" (
    "account_id" UUID NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "counted" TEXT NOT NULL,
    "hook_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "hook_days_pkey" PRIMARY KEY ("account_id", "day", "counted", "hook_id", "state")
);
CREATE INDEX "hook_days_day_idx" ON "hook_days"("day");
ALTER TABLE "hook_days" ADD CONSTRAINT "hook_days_counted_check" CHECK ("counted" IN ('deliveries', 'runs'));
