-- Who is told about problems, when, and what became of each message. See
-- docs/decisions/runs/076-an-alert-is-a-row-with-a-key.md.
CREATE TABLE "alert_channels" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "ciphertext" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_channels_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "alert_channels_account_id_id_idx" ON "alert_channels"("account_id", "id");
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_kind_check" CHECK ("kind" IN ('email', 'slack', 'discord', 'teams', 'pagerduty', 'url'));
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_secret_check" CHECK (("kind" = 'email') = ("ciphertext" IS NULL));

CREATE TABLE "alert_rules" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "threshold" INTEGER NOT NULL,
    "within_seconds" INTEGER NOT NULL,
    "channel_ids" UUID[],
    "quiet_hours" JSON,
    "digest" TEXT NOT NULL DEFAULT 'off',
    "remind_minutes" INTEGER,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_rules_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "alert_rules_account_id_id_idx" ON "alert_rules"("account_id", "id");
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_kind_check" CHECK ("kind" IN ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'disk'));
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_digest_check" CHECK ("digest" IN ('off', 'hourly', 'daily'));

CREATE TABLE "alerts" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "problem_id" UUID,
    "digest_id" UUID,
    "event" TEXT NOT NULL,
    "number" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL,
    "in_digest" BOOLEAN NOT NULL DEFAULT false,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "lease_id" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("id")
);
-- One message of each kind for a problem and a channel, whoever looks at the problem.
CREATE UNIQUE INDEX "alerts_problem_id_channel_id_event_number_key" ON "alerts"("problem_id", "channel_id", "event", "number");
CREATE INDEX "alerts_channel_id_id_idx" ON "alerts"("channel_id", "id");
CREATE INDEX "alerts_digest_id_idx" ON "alerts"("digest_id");
CREATE INDEX "alerts_due_at_idx" ON "alerts" ("due_at") WHERE "state" IN ('held', 'waiting');
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "alert_channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_problem_id_fkey" FOREIGN KEY ("problem_id") REFERENCES "problems"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_event_check" CHECK ("event" IN ('opened', 'acknowledged', 'reminder', 'resolved', 'digest'));
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_state_check" CHECK ("state" IN ('held', 'waiting', 'sent', 'failed', 'digested', 'dropped'));
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_ended_check" CHECK (("state" IN ('held', 'waiting')) = ("ended_at" IS NULL));

CREATE TABLE "alert_attempts" (
    "alert_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER,
    "is_sent" BOOLEAN,
    "message" TEXT,

    CONSTRAINT "alert_attempts_pkey" PRIMARY KEY ("alert_id", "number")
);
ALTER TABLE "alert_attempts" ADD CONSTRAINT "alert_attempts_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alerts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
