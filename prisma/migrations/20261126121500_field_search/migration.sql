-- Whether the fields of a hook's payloads are indexed for the search of `path = value`.
ALTER TABLE "hooks" ADD COLUMN "field_search" BOOLEAN NOT NULL DEFAULT false;

-- How far the deliveries of a hook are indexed, and how far the index was checked for late ones.
CREATE TABLE "field_search_cursors" (
    "hook_id" UUID NOT NULL,
    "covered_until" UUID NOT NULL,
    "checked_until" UUID NOT NULL,
    "worked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "field_search_cursors_pkey" PRIMARY KEY ("hook_id")
);
ALTER TABLE "field_search_cursors" ADD CONSTRAINT "field_search_cursors_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Hashes of the fields of some deliveries of one hook that follow one another: those with ids from `id` to `last_id`.
CREATE TABLE "delivery_terms" (
    "id" UUID NOT NULL,
    "hook_id" UUID NOT NULL,
    "last_id" UUID NOT NULL,
    "delivery_count" INTEGER NOT NULL,
    "terms" INTEGER[],

    CONSTRAINT "delivery_terms_pkey" PRIMARY KEY ("id")
) PARTITION BY RANGE ("id");
CREATE INDEX "delivery_terms_hook_id_id_idx" ON "delivery_terms" ("hook_id", "id");
CREATE INDEX "delivery_terms_terms_idx" ON "delivery_terms" USING gin ("terms");
-- Hashes can't be compressed, so no time is spent on trying. A search reads rows without them.
ALTER TABLE "delivery_terms" ALTER COLUMN "terms" SET STORAGE EXTERNAL;

-- As before. What a column says about its storage now applies to its weeks too, and the hashes of a week are always stored beside its rows.
CREATE OR REPLACE FUNCTION ensure_weekly_partitions(parent text, first_at timestamptz, last_at timestamptz) RETURNS integer
LANGUAGE plpgsql
SET lock_timeout = 0
AS $$
DECLARE
  week timestamptz := date_trunc('week', first_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  child text;
  first_id uuid;
  end_id uuid;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_weekly_partitions'));
  PERFORM set_config('lock_timeout', '1s', true);
  WHILE week <= last_at LOOP
    child := parent || '_' || to_char(week AT TIME ZONE 'UTC', 'YYYYMMDD');
    IF to_regclass(child) IS NULL THEN
      first_id := uuid_v7_floor(week);
      end_id := uuid_v7_floor(week + interval '7 days');
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', child, parent);
      IF parent = 'delivery_terms' THEN
        EXECUTE format('ALTER TABLE %I SET (toast_tuple_target = 128)', child);
      END IF;
      EXECUTE format('LOCK TABLE ONLY %I IN SHARE UPDATE EXCLUSIVE MODE', parent);
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent || '_default');
      EXECUTE format('WITH strays AS (DELETE FROM %I WHERE id >= %L AND id < %L RETURNING *) INSERT INTO %I SELECT * FROM strays',
        parent || '_default', first_id, end_id, child);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, child, first_id, end_id);
      made := made + 1;
    END IF;
    week := week + interval '7 days';
  END LOOP;
  RETURN made;
END $$;

CREATE TABLE "delivery_terms_default" PARTITION OF "delivery_terms" DEFAULT;
SELECT ensure_weekly_partitions('delivery_terms', now() - interval '7 days', now() + interval '28 days');
