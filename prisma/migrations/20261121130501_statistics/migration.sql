-- Counts by hour, made in the background from what is stored: see docs/decisions. Nothing is written here when a delivery arrives.
CREATE TABLE "statistics_hours" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "counted_until" TIMESTAMPTZ(3) NOT NULL,
    "recount_at" TIMESTAMPTZ(3),

    CONSTRAINT "statistics_hours_pkey" PRIMARY KEY ("hour")
);
CREATE TABLE "delivery_statistics" (
    "account_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "hook_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "delivery_statistics_pkey" PRIMARY KEY ("account_id", "hour", "hook_id", "status")
);
CREATE TABLE "run_statistics" (
    "account_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "target_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "hook_id" UUID,
    "count" BIGINT NOT NULL,

    CONSTRAINT "run_statistics_pkey" PRIMARY KEY ("account_id", "hour", "target_id", "state")
);
CREATE TABLE "wait_statistics" (
    "account_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "bucket" INTEGER NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "wait_statistics_pkey" PRIMARY KEY ("account_id", "hour", "bucket")
);
CREATE INDEX "delivery_statistics_hour_idx" ON "delivery_statistics"("hour");
CREATE INDEX "run_statistics_hour_idx" ON "run_statistics"("hour");
CREATE INDEX "wait_statistics_hour_idx" ON "wait_statistics"("hour");

-- The Unix milliseconds in a UUIDv7.
CREATE FUNCTION uuid_v7_ms(id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ('x' || substr(id::text, 1, 8) || substr(id::text, 10, 4))::bit(48)::bigint
$$;
