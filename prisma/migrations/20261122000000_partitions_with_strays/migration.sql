-- Weekly partitions (Monday, UTC) of a table that is partitioned by UUIDv7, from one instant to another.
-- Safe to call from many processes at once. Waits a second for its locks at most, then fails and is to be called again later.
CREATE OR REPLACE FUNCTION ensure_weekly_partitions(parent text, first_at timestamptz, last_at timestamptz) RETURNS integer
LANGUAGE plpgsql
-- So that what is set below ends with the function.
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
  -- Whoever waits for a lock holds up all who come after, and in front of it there may be a dump that takes an hour.
  PERFORM set_config('lock_timeout', '1s', true);
  WHILE week <= last_at LOOP
    child := parent || '_' || to_char(week AT TIME ZONE 'UTC', 'YYYYMMDD');
    IF to_regclass(child) IS NULL THEN
      first_id := uuid_v7_floor(week);
      end_id := uuid_v7_floor(week + interval '7 days');
      -- A table of its own, attached afterwards: rows of other weeks can be stored meanwhile, which the lock for CREATE TABLE … PARTITION
      -- OF does not allow. Locks in the order in which dropping a partition takes them.
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', child, parent);
      EXECUTE format('LOCK TABLE ONLY %I IN SHARE UPDATE EXCLUSIVE MODE', parent);
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent || '_default');
      -- What came before its week was made is in the default partition, and would keep the week from being made for ever.
      EXECUTE format('WITH strays AS (DELETE FROM %I WHERE id >= %L AND id < %L RETURNING *) INSERT INTO %I SELECT * FROM strays',
        parent || '_default', first_id, end_id, child);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, child, first_id, end_id);
      made := made + 1;
    END IF;
    week := week + interval '7 days';
  END LOOP;
  RETURN made;
END $$;
