-- Whether, and by what, a silent hook is reported. Null: by its learned rhythm.
ALTER TABLE "hooks" ADD COLUMN "silence" JSON;

-- The minutes of the hour with such a delivery, as bits. Tests aren't counted. Null: not known.
ALTER TABLE "delivery_statistics" ADD COLUMN "minutes" BIGINT;
CREATE INDEX "delivery_statistics_accepted_idx" ON "delivery_statistics"("hook_id", "hour") WHERE "status" = 'accepted';

CREATE TABLE "listening_hours" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "minutes" BIGINT NOT NULL,

    CONSTRAINT "listening_hours_pkey" PRIMARY KEY ("hour")
);

CREATE TABLE "watched_hooks" (
    "hook_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "watched_since" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "check_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "silent_since" TIMESTAMPTZ(3),

    CONSTRAINT "watched_hooks_pkey" PRIMARY KEY ("hook_id")
);
CREATE INDEX "watched_hooks_check_at_idx" ON "watched_hooks"("check_at");
ALTER TABLE "watched_hooks" ADD CONSTRAINT "watched_hooks_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
