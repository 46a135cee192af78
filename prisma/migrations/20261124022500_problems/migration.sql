-- What is wrong, grouped from its first to its last occurrence, and how far the rows that may be
-- problems have been looked at. See docs/decisions/runs/075-problems-are-found-after-the-fact.md.
CREATE TABLE "problems" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "hook_id" UUID,
    "action_id" UUID,
    "subscription_id" UUID,
    "reason" TEXT,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "count" BIGINT NOT NULL,
    "details" JSON NOT NULL,
    "delivery_id" UUID,
    "run_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "acknowledged_at" TIMESTAMPTZ(3),
    "acknowledged_by" TEXT,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by" TEXT,
    "resolution" TEXT,
    "is_changed" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "problems_pkey" PRIMARY KEY ("id")
);
-- At most one problem of a key is open.
CREATE UNIQUE INDEX "problems_open_key" ON "problems" ("account_id", "key") WHERE "state" <> 'resolved';
CREATE INDEX "problems_changed_idx" ON "problems" ("id") WHERE "is_changed";
CREATE INDEX "problems_account_id_id_idx" ON "problems"("account_id", "id");
ALTER TABLE "problems" ADD CONSTRAINT "problems_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "problems" ADD CONSTRAINT "problems_kind_check" CHECK ("kind" IN ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'disk'));
ALTER TABLE "problems" ADD CONSTRAINT "problems_state_check" CHECK ("state" IN ('open', 'acknowledged', 'resolved'));
ALTER TABLE "problems" ADD CONSTRAINT "problems_resolution_check" CHECK ("resolution" IN ('recovered', 'manual', 'muted', 'deleted'));
ALTER TABLE "problems" ADD CONSTRAINT "problems_resolved_check" CHECK (("state" = 'resolved') = ("resolved_at" IS NOT NULL) AND ("state" = 'resolved') = ("resolution" IS NOT NULL));

CREATE TABLE "problem_counts" (
    "problem_id" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "problem_counts_pkey" PRIMARY KEY ("problem_id", "minute")
);
ALTER TABLE "problem_counts" ADD CONSTRAINT "problem_counts_problem_id_fkey" FOREIGN KEY ("problem_id") REFERENCES "problems"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "problem_scans" (
    "source" TEXT NOT NULL,
    "scanned_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "problem_scans_pkey" PRIMARY KEY ("source")
);
-- Nothing from before the upgrade opens a problem.
INSERT INTO "problem_scans" ("source", "scanned_until")
SELECT "source", now() FROM unnest(ARRAY['failed_runs', 'failed_attempts', 'rejected_deliveries', 'rejected_counts']) AS t("source");

-- Finds the runs that have failed since the last look. Runs that didn't fail pay nothing for it.
CREATE INDEX "runs_failed_finished_at_idx" ON "runs" ("finished_at") WHERE "state" = 'failed';
CREATE INDEX "rejected_counts_minute_idx" ON "rejected_counts"("minute");

-- Why a call failed, for grouping: an outage answers 503, times out, and refuses connections in
-- turns, and is one problem. An attempt that was the last says in its reason only that it was.
CREATE FUNCTION failure_cause(error_code text, response text, reason_code text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN error_code IN ('dns', 'connect', 'tls', 'reset', 'protocol', 'timeout') THEN 'receiver_down'
    WHEN error_code IS NOT NULL AND error_code NOT IN ('attempts_exhausted', 'gave_up', 'not_retried') THEN error_code
    WHEN status ~ '^(5..|408|425)$' THEN 'receiver_down'
    WHEN status ~ '^2' THEN 'unsuccessful'
    WHEN status IS NOT NULL THEN 'status_' || status
    WHEN error_code IS NOT NULL THEN 'receiver_down'
    ELSE coalesce(reason_code, 'unknown')
  END
  FROM substring(left(response, 40) FROM '^\{"status":([0-9]{3})') AS t(status)
$$;
