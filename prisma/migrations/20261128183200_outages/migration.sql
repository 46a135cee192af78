ALTER TABLE "spools" ADD COLUMN "aside_names" TEXT[] DEFAULT ARRAY[]::TEXT[];

ALTER TABLE "problems" DROP CONSTRAINT "problems_kind_check";
ALTER TABLE "problems" ADD CONSTRAINT "problems_kind_check" CHECK ("kind" IN ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock', 'database'));
ALTER TABLE "alert_rules" DROP CONSTRAINT "alert_rules_kind_check";
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_kind_check" CHECK ("kind" IN ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock', 'database'));

-- Whoever is told about the spool is told about outages, as the first channel of a new account is.
INSERT INTO "alert_rules" ("id", "account_id", "kind", "threshold", "within_seconds", "channel_ids", "quiet_hours", "digest", "remind_minutes", "enabled")
SELECT uuid_v7_at(now()), "account_id", 'database', "threshold", "within_seconds", "channel_ids", "quiet_hours", "digest", NULL, "enabled"
FROM "alert_rules" WHERE "kind" = 'spool';
