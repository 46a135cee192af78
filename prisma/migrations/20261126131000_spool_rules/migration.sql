-- Whoever is told about the disk of the installation is told about its spool too. Accounts whose first
-- channel came before there was a spool have no rule for it.
INSERT INTO "alert_rules" ("id", "account_id", "kind", "threshold", "within_seconds", "channel_ids", "quiet_hours", "digest", "remind_minutes", "enabled")
SELECT uuid_v7_at(now()), "account_id", 'spool', "threshold", "within_seconds", "channel_ids", "quiet_hours", "digest", "remind_minutes", "enabled"
FROM "alert_rules" AS "disk"
WHERE "kind" = 'disk'
  AND NOT EXISTS (SELECT FROM "alert_rules" WHERE "account_id" = "disk"."account_id" AND "kind" = 'spool');
