-- Weeks that are archived before they are dropped, by their Monday.
CREATE TABLE "archived_weeks" (
    "week" DATE NOT NULL,
    "archive_id" UUID NOT NULL,
    "is_changed" BOOLEAN NOT NULL DEFAULT false,
    "later_rows" BIGINT,
    "manifest_sha256" TEXT,
    "archived_at" TIMESTAMPTZ(3),
    "dropped_at" TIMESTAMPTZ(3),

    CONSTRAINT "archived_weeks_pkey" PRIMARY KEY ("week")
);

-- Weeks with restored rows, which retention leaves alone until then.
CREATE TABLE "kept_weeks" (
    "week" DATE NOT NULL,
    "kept_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "kept_weeks_pkey" PRIMARY KEY ("week")
);

-- Of a trigger on the tables of a week, whose argument is its Monday: what was archived of it isn't all any more.
CREATE FUNCTION "note_archive_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE archived_weeks SET is_changed = true WHERE week = TG_ARGV[0]::date AND NOT is_changed;
  RETURN NULL;
END
$$;

-- Bytes as text, if they are text that PostgreSQL can store. Otherwise null.
CREATE FUNCTION "archive_text"("bytes" BYTEA) RETURNS TEXT
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN convert_from("bytes", 'UTF8');
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$$;

ALTER TABLE "problems" DROP CONSTRAINT "problems_kind_check";
ALTER TABLE "problems" ADD CONSTRAINT "problems_kind_check" CHECK ("kind" IN ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive'));
ALTER TABLE "alert_rules" DROP CONSTRAINT "alert_rules_kind_check";
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_kind_check" CHECK ("kind" IN ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive'));

-- Whoever is told about the disk is told about it, as the first channel of a new account is.
INSERT INTO "alert_rules" ("id", "account_id", "kind", "threshold", "within_seconds", "channel_ids", "quiet_hours", "digest", "remind_minutes", "enabled")
SELECT uuid_v7_at(now()), "account_id", 'archive', "threshold", "within_seconds", "channel_ids", "quiet_hours", "digest", "remind_minutes", "enabled"
FROM "alert_rules" WHERE "kind" = 'disk';
