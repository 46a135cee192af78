-- Opens after so many failed calls in a window, over all workers. Null: no breaker.
ALTER TABLE "actions" ADD COLUMN "breaker_failures" INTEGER, ADD COLUMN "breaker_window_seconds" INTEGER,
    ADD COLUMN "breaker_open_seconds" INTEGER;
ALTER TABLE "actions" ADD CONSTRAINT "actions_breaker_check"
    CHECK ((breaker_failures IS NULL) = (breaker_window_seconds IS NULL) AND (breaker_failures IS NULL) = (breaker_open_seconds IS NULL));

-- What all workers share about a target with a breaker. Other targets have no row.
CREATE TABLE "target_breakers" (
    "target_id" UUID NOT NULL,
    "failed_at" TIMESTAMPTZ(3)[],
    "down_since" TIMESTAMPTZ(3),
    "next_try_at" TIMESTAMPTZ(3),
    "probe_run_id" UUID,
    "ramp" INTEGER,

    CONSTRAINT "target_breakers_pkey" PRIMARY KEY ("target_id")
);
