-- A small queue of open runs, and a history of ended ones that is written once. See
-- docs/decisions/runs/040-a-small-queue-and-a-history.md.

-- Sorts and builds indexes in memory, up to a million rows, until this migration ends.
SET LOCAL work_mem = '128MB';
SET LOCAL maintenance_work_mem = '128MB';
SET LOCAL jit = off;

-- The id of a run starts with the first 8 bytes of its delivery's id: a range of the primary key
-- finds the runs of a delivery. 16,384 ordinals, and the delivery's own last 6 bytes.
CREATE FUNCTION run_id(source uuid, ordinal integer) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT encode(set_byte(set_byte(uuid_send(source), 8, 128 + ordinal / 256), 9, ordinal % 256), 'hex')::uuid
$$;

CREATE TABLE "queue" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "target_id" UUID NOT NULL,
    "hook_id" UUID,
    "delivery_id" UUID,
    "event_id" UUID,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "body_size" INTEGER NOT NULL DEFAULT 0,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "attempts_before" INTEGER NOT NULL DEFAULT 0,
    "crash_count" INTEGER NOT NULL DEFAULT 0,
    "worker_id" INTEGER,
    "lease_id" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "has_own_id" BOOLEAN NOT NULL DEFAULT false,
    "reason_code" TEXT,
    "reason_detail" TEXT,
    CONSTRAINT "queue_pkey" PRIMARY KEY ("id")
);
-- Half of each page is left free, so that a claim finds room beside the row it changes and touches
-- no index. Vacuumed by count, not by share: the table is nearly empty most of the time.
ALTER TABLE "queue" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0.05);
-- By action queue, and then by when they are due. A claim changes none of these columns.
CREATE INDEX "queue_account_id_target_id_due_at_idx" ON "queue" ("account_id", "target_id", "due_at");
-- For lists, newest first.
CREATE INDEX "queue_account_id_target_id_id_idx" ON "queue" ("account_id", "target_id", "id");
CREATE INDEX "queue_own_id_idx" ON "queue" ("delivery_id") WHERE "has_own_id";

INSERT INTO "queue" ("id", "account_id", "target_id", "hook_id", "delivery_id", "event_id", "due_at", "body_size", "attempt_count",
  "attempts_before", "crash_count", "worker_id", "lease_id", "leased_until", "has_own_id", "reason_code", "reason_detail")
SELECT r."id", r."account_id", r."target_id", r."hook_id", r."delivery_id", r."event_id", r."due_at", coalesce(d."body_size", 0),
  r."attempt_count", r."attempts_before", r."crash_count", r."worker_id", r."lease_id", r."leased_until", true,
  CASE WHEN r."state" = 'retrying' THEN coalesce(r."reason_code", substring(r."reason" FROM '^[a-z0-9_]+'), 'retry') END,
  CASE WHEN r."state" = 'retrying' THEN coalesce(r."reason_detail", regexp_replace(r."reason", '^[a-z0-9_]+: ', ''), 'The last attempt failed.') END
FROM "runs" r
LEFT JOIN LATERAL (SELECT "body_size" FROM "deliveries" WHERE "id" = r."delivery_id" LIMIT 1) d ON true
WHERE r."finished_at" IS NULL;
DELETE FROM "runs" WHERE "finished_at" IS NULL;
UPDATE "runs" SET "reason_code" = substring("reason" FROM '^[a-z0-9_]+'), "reason_detail" = regexp_replace("reason", '^[a-z0-9_]+: ', '')
WHERE "reason" IS NOT NULL AND "reason_code" IS NULL;

-- The old table becomes the first partition of the history: nothing of it is rewritten.
ALTER TABLE "runs" RENAME TO "runs_before";
ALTER TABLE "runs_before" DROP CONSTRAINT "runs_state_check", DROP CONSTRAINT "runs_finished_check";
ALTER TABLE "runs_before" RENAME CONSTRAINT "runs_pkey" TO "runs_before_pkey";
DROP INDEX "runs_lane_idx", "runs_delivery_id_idx", "runs_account_id_state_id_idx", "runs_target_id_state_id_idx";
ALTER INDEX "runs_target_id_id_idx" RENAME TO "runs_before_target_id_id_idx";
ALTER TABLE "runs_before"
  DROP COLUMN "reason", DROP COLUMN "action_id", DROP COLUMN "subscription_id", DROP COLUMN "due_at", DROP COLUMN "created_at",
  DROP COLUMN "attempts_before", DROP COLUMN "crash_count", DROP COLUMN "worker_id", DROP COLUMN "lease_id", DROP COLUMN "leased_until",
  ALTER COLUMN "finished_at" SET NOT NULL,
  ADD COLUMN "has_own_id" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "started_at" TIMESTAMPTZ(3), ADD COLUMN "duration_ms" INTEGER, ADD COLUMN "request" TEXT, ADD COLUMN "response" TEXT,
  ADD COLUMN "error_code" TEXT, ADD COLUMN "error_message" TEXT;

CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "target_id" UUID NOT NULL,
    "hook_id" UUID,
    "delivery_id" UUID,
    "event_id" UUID,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "duration_ms" INTEGER,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "has_own_id" BOOLEAN NOT NULL DEFAULT false,
    "state" TEXT NOT NULL,
    "reason_code" TEXT,
    "reason_detail" TEXT,
    "request" TEXT,
    "response" TEXT,
    "error_code" TEXT,
    "error_message" TEXT,
    CONSTRAINT "runs_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "runs_state_check" CHECK ("state" IN ('succeeded', 'failed', 'skipped', 'cancelled'))
) PARTITION BY RANGE ("id");
ALTER TABLE "runs_before" ALTER COLUMN "has_own_id" SET DEFAULT false, ALTER COLUMN "attempt_count" SET DEFAULT 0,
  ADD CONSTRAINT "runs_state_check" CHECK ("state" IN ('succeeded', 'failed', 'skipped', 'cancelled'));
CREATE INDEX "runs_account_id_id_idx" ON "runs" ("account_id", "id");
CREATE INDEX "runs_target_id_id_idx" ON "runs" ("target_id", "id");
CREATE INDEX "runs_own_id_idx" ON "runs" ("delivery_id") WHERE "has_own_id";
-- Most runs succeed, and pay for none of these.
CREATE INDEX "runs_account_id_state_id_idx" ON "runs" ("account_id", "state", "id") WHERE "state" <> 'succeeded';
CREATE INDEX "runs_target_id_state_id_idx" ON "runs" ("target_id", "state", "id") WHERE "state" <> 'succeeded';
CREATE TABLE "runs_default" PARTITION OF "runs" DEFAULT;

DO $$
DECLARE
  cut timestamptz := date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond';
  week timestamptz := date_trunc('week', cut AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
BEGIN
  IF EXISTS (SELECT FROM "runs_before") THEN
    -- Ids of a clock that was ahead.
    CREATE TEMPORARY TABLE later ON COMMIT DROP AS SELECT * FROM "runs_before" WHERE "id" >= uuid_v7_floor(cut);
    DELETE FROM "runs_before" WHERE "id" >= uuid_v7_floor(cut);
    EXECUTE format('ALTER TABLE "runs" ATTACH PARTITION "runs_before" FOR VALUES FROM (MINVALUE) TO (%L)', uuid_v7_floor(cut));
    EXECUTE format('CREATE TABLE %I PARTITION OF "runs" FOR VALUES FROM (%L) TO (%L)', 'runs_' || to_char(week AT TIME ZONE 'UTC', 'YYYYMMDD'),
      uuid_v7_floor(cut), uuid_v7_floor(week + interval '7 days'));
    PERFORM ensure_weekly_partitions('runs', cut, cut + interval '28 days');
    INSERT INTO "runs" ("id", "account_id", "target_id", "hook_id", "delivery_id", "event_id", "finished_at", "attempt_count", "has_own_id",
      "state", "reason_code", "reason_detail")
    SELECT "id", "account_id", "target_id", "hook_id", "delivery_id", "event_id", "finished_at", "attempt_count", true,
      "state", "reason_code", "reason_detail" FROM later;
  ELSE
    DROP TABLE "runs_before";
    PERFORM ensure_weekly_partitions('runs', cut - interval '7 days', cut + interval '28 days');
  END IF;
END $$;

-- One key of 16 bytes instead of a hook's id and a hash of 32: half the size in the table and in
-- its index. The first half of the hash, exclusive or the hook's id.
ALTER TABLE "dedupe_keys" RENAME TO "dedupe_keys_before";
ALTER TABLE "dedupe_keys_before" RENAME CONSTRAINT "dedupe_keys_pkey" TO "dedupe_keys_before_pkey";
DROP INDEX "dedupe_keys_created_at_idx";
CREATE TABLE "dedupe_keys" (
    "key" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_count" INTEGER NOT NULL DEFAULT 1,
    "within_seconds" INTEGER
);
CREATE FUNCTION pg_temp.half(hex text, first integer) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT ('x' || substr(hex, first, 16))::bit(64)::bigint
$$;
WITH hook AS MATERIALIZED (
  SELECT id, pg_temp.half(encode(uuid_send(id), 'hex'), 1) AS high, pg_temp.half(encode(uuid_send(id), 'hex'), 17) AS low
  FROM (SELECT DISTINCT "hook_id" AS id FROM "dedupe_keys_before") known
)
INSERT INTO "dedupe_keys" ("key", "delivery_id", "created_at", "seen_count", "within_seconds")
SELECT encode(int8send(pg_temp.half(hash, 1) # hook.high) || int8send(pg_temp.half(hash, 17) # hook.low), 'hex')::uuid,
  "delivery_id", "created_at", "seen_count", "within_seconds"
FROM (
  SELECT *, encode("key_hash", 'hex') AS hash FROM "dedupe_keys_before" ORDER BY "created_at"
) old JOIN hook ON hook.id = old."hook_id";
ALTER TABLE "dedupe_keys" ADD CONSTRAINT "dedupe_keys_pkey" PRIMARY KEY ("key");
CREATE INDEX "dedupe_keys_created_at_idx" ON "dedupe_keys" USING brin ("created_at");
DROP TABLE "dedupe_keys_before";
