-- When a row was stored, as the database's clock says. Ids and `received_at` have the clock of the machine that caught it.
-- Null: unknown, because it is older than this column.
ALTER TABLE "deliveries" ADD COLUMN "stored_at" TIMESTAMPTZ(3);
ALTER TABLE "deliveries" ALTER COLUMN "stored_at" SET DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "events" ADD COLUMN "stored_at" TIMESTAMPTZ(3);
ALTER TABLE "events" ALTER COLUMN "stored_at" SET DEFAULT CURRENT_TIMESTAMP;
-- Rows outside of any week have ids that don't say when they were stored. They stay for a whole retention from now on.
UPDATE "deliveries_default" SET "stored_at" = now();
UPDATE "events_default" SET "stored_at" = now();

-- How far the database's clock has come, in one row.
CREATE TABLE "database_clock" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "trusted_at" TIMESTAMPTZ(3),
    "unsettled_ms" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "database_clock_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "database_clock_id_check" CHECK ("id" = 1)
);

-- How far the clock of each machine is off, as its processes last found.
CREATE TABLE "machine_clocks" (
    "host" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "offset_ms" BIGINT NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "machine_clocks_pkey" PRIMARY KEY ("host", "role")
);

ALTER TABLE "problems" DROP CONSTRAINT "problems_kind_check";
ALTER TABLE "problems" ADD CONSTRAINT "problems_kind_check" CHECK ("kind" IN ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock'));
ALTER TABLE "alert_rules" DROP CONSTRAINT "alert_rules_kind_check";
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_kind_check" CHECK ("kind" IN ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock'));

-- Whoever is told about the disk is told about clocks, as the first channel of a new account is.
INSERT INTO "alert_rules" ("id", "account_id", "kind", "threshold", "within_seconds", "channel_ids", "quiet_hours", "digest", "remind_minutes", "enabled")
SELECT uuid_v7_at(now()), "account_id", 'clock', "threshold", "within_seconds", "channel_ids", "quiet_hours", "digest", "remind_minutes", "enabled"
FROM "alert_rules" WHERE "kind" = 'disk';
