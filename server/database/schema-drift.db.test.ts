import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "#lib/db/testing/test-database.ts";
import { endedRunStates } from "#lib/schema/act/run-states.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { withConnection } from "./database-connection.ts";
import { writeTables } from "./schema-engine.ts";

const schemaPath = join(migrationsFolder, "../schema.prisma");

/**
 * Statements that a Prisma schema can't express: conditions of indexes and of rows. Sorted as
 * `readCatalog` sorts.
 */
const onlyInSql = [
  // Only the rows with a condition are looked up, and an index of all would be many times as large.
  "CREATE INDEX actions_controlled_idx ON public.actions USING btree (id) WHERE ((breaker_failures IS NOT NULL) OR (order_by IS NOT NULL) OR (destination_ids <> '{}'::uuid[]))",
  "CREATE INDEX alerts_due_at_idx ON public.alerts USING btree (due_at) WHERE (state = ANY (ARRAY['held'::text, 'waiting'::text]))",
  "CREATE INDEX backtests_running_idx ON public.backtests USING btree (id) WHERE (finished_at IS NULL)",
  "CREATE INDEX bulk_job_runs_sent_by_idx ON public.bulk_job_runs USING btree (run_id) WHERE (sent_by IS NOT NULL)",
  "CREATE INDEX bulk_jobs_count_at_idx ON public.bulk_jobs USING btree (count_at) WHERE (open_count > 0)",
  "CREATE INDEX bulk_jobs_running_idx ON public.bulk_jobs USING btree (id) WHERE (finished_at IS NULL)",
  "CREATE INDEX deliveries_account_id_status_id_idx ON public.deliveries USING btree (account_id, status, id) WHERE (status <> 'accepted'::text)",
  "CREATE INDEX deliveries_batch_id_idx ON public.deliveries USING btree (batch_id) WHERE (batch_id IS NOT NULL)",
  "CREATE INDEX deliveries_duplicate_of_idx ON public.deliveries USING btree (duplicate_of) WHERE (duplicate_of IS NOT NULL)",
  "CREATE INDEX deliveries_samples_idx ON public.deliveries USING btree (account_id, id) WHERE is_sample",
  "CREATE INDEX delivery_statistics_accepted_idx ON public.delivery_statistics USING btree (hook_id, hour) WHERE (status = 'accepted'::text)",
  "CREATE INDEX erasures_running_idx ON public.erasures USING btree (id) WHERE (finished_at IS NULL)",
  "CREATE INDEX events_account_id_recipient_id_idx ON public.events USING btree (account_id, recipient, id) WHERE (recipient IS NOT NULL)",
  "CREATE INDEX events_delivery_id_idx ON public.events USING btree (delivery_id) WHERE (delivery_id IS NOT NULL)",
  "CREATE INDEX gap_events_delivery_id_idx ON public.gap_events USING btree (delivery_id) WHERE (delivery_id IS NOT NULL)",
  "CREATE INDEX gap_events_missing_idx ON public.gap_events USING btree (gap_id, occurred_at, key) WHERE (state = 'missing'::text)",
  "CREATE INDEX gaps_asking_idx ON public.gaps USING btree (id) WHERE (finished_at IS NULL)",
  "CREATE INDEX gaps_unfollowed_idx ON public.gaps USING btree (id) WHERE (is_scheduled AND (followed_at IS NULL))",
  "CREATE INDEX hooks_deleted_at_idx ON public.hooks USING btree (deleted_at) WHERE (deleted_at IS NOT NULL)",
  "CREATE INDEX problems_changed_idx ON public.problems USING btree (id) WHERE is_changed",
  "CREATE INDEX queue_asking_idx ON public.queue USING btree (account_id, target_id, id) WHERE (reason_code = 'outcome_unknown'::text)",
  "CREATE INDEX queue_event_id_idx ON public.queue USING btree (event_id) WHERE ((event_id IS NOT NULL) AND has_own_id)",
  "CREATE INDEX queue_order_idx ON public.queue USING btree (account_id, target_id, order_key, id) WHERE (order_key IS NOT NULL)",
  "CREATE INDEX queue_own_id_idx ON public.queue USING btree (delivery_id) WHERE has_own_id",
  'CREATE INDEX queue_position_idx ON public.queue USING btree (account_id, target_id, "position") WHERE ("position" IS NOT NULL)',
  "CREATE INDEX queue_retrying_idx ON public.queue USING btree (account_id, target_id, id) WHERE (reason_code IS NOT NULL)",
  'CREATE INDEX recipients_account_id_natural_key_idx ON public.recipients USING btree (account_id, natural_key(id) COLLATE "C", id COLLATE "C")',
  "CREATE INDEX runs_account_id_state_id_idx ON public.runs USING btree (account_id, state, id) WHERE (state <> 'succeeded'::text)",
  "CREATE INDEX runs_event_id_idx ON public.runs USING btree (event_id) WHERE ((event_id IS NOT NULL) AND has_own_id)",
  "CREATE INDEX runs_failed_delivery_idx ON public.runs USING btree (hook_id, delivery_id) WHERE ((state = 'failed'::text) AND (hook_id IS NOT NULL))",
  "CREATE INDEX runs_failed_finished_at_idx ON public.runs USING btree (finished_at) WHERE (state = 'failed'::text)",
  "CREATE INDEX runs_own_id_idx ON public.runs USING btree (delivery_id) WHERE has_own_id",
  "CREATE INDEX runs_target_id_state_id_idx ON public.runs USING btree (target_id, state, id) WHERE (state <> 'succeeded'::text)",
  "CREATE INDEX subscriptions_account_id_recipient_id_idx ON public.subscriptions USING btree (account_id, recipient, id) WHERE (recipient IS NOT NULL)",
  "CREATE UNIQUE INDEX problems_open_key ON public.problems USING btree (account_id, key) WHERE (state <> 'resolved'::text)",
  "CREATE UNIQUE INDEX saved_views_account_id_list_key ON public.saved_views USING btree (account_id, list) WHERE (is_default AND (deleted_at IS NULL))",
  "CREATE UNIQUE INDEX saved_views_account_id_list_name_key ON public.saved_views USING btree (account_id, list, name) WHERE (deleted_at IS NULL)",
  // States that no code may write by mistake.
  "action_drafts: CHECK ((target_id = COALESCE(action_id, hook_id)))",
  "actions: CHECK ((((breaker_failures IS NULL) = (breaker_window_seconds IS NULL)) AND ((breaker_failures IS NULL) = (breaker_open_seconds IS NULL))))",
  "actions: CHECK (((order_skip_seconds IS NULL) OR (order_by IS NOT NULL)))",
  "actions: CHECK (((rate_count IS NULL) = (rate_seconds IS NULL)))",
  "actions: CHECK (((request IS NULL) <> (steps IS NULL)))",
  "alert_channels: CHECK ((((recipient IS NULL) = (link_token IS NULL)) AND ((recipient IS NULL) OR (kind = 'email'::text))))",
  "alert_channels: CHECK (((kind = 'email'::text) = (ciphertext IS NULL)))",
  "alert_channels: CHECK ((kind = ANY (ARRAY['email'::text, 'slack'::text, 'discord'::text, 'teams'::text, 'pagerduty'::text, 'url'::text])))",
  "alert_rules: CHECK ((digest = ANY (ARRAY['off'::text, 'hourly'::text, 'daily'::text])))",
  "alert_rules: CHECK ((kind = ANY (ARRAY['action_failing'::text, 'rejected'::text, 'silence'::text, 'shape'::text, 'missing_events'::text, 'subscription_failing'::text, 'audit_failing'::text, 'disk'::text, 'spool'::text, 'archive'::text, 'clock'::text, 'database'::text, 'registration'::text, 'quota'::text, 'certificate'::text])))",
  "alerts: CHECK (((state = ANY (ARRAY['held'::text, 'waiting'::text])) = (ended_at IS NULL)))",
  "alerts: CHECK ((event = ANY (ARRAY['opened'::text, 'acknowledged'::text, 'reminder'::text, 'resolved'::text, 'digest'::text])))",
  "alerts: CHECK ((state = ANY (ARRAY['held'::text, 'waiting'::text, 'sent'::text, 'failed'::text, 'digested'::text, 'dropped'::text])))",
  "answers: CHECK ((sent_as = ANY (ARRAY['answer'::text, 'none'::text, 'timeout'::text, 'busy'::text, 'closed'::text, 'stopping'::text, 'listener'::text, 'listener_none'::text, 'listener_timeout'::text])))",
  "backtest_results: CHECK ((outcome = ANY (ARRAY['run'::text, 'skip'::text, 'fail'::text])))",
  "backtests: CHECK (((status = 'running'::text) = (finished_at IS NULL)))",
  "backtests: CHECK ((status = ANY (ARRAY['running'::text, 'finished'::text, 'cancelled'::text])))",
  `bulk_job_runs: CHECK ((outcome = ANY (ARRAY[${texts([...endedRunStates, "gone"])}])))`,
  "bulk_jobs: CHECK (((status = ANY (ARRAY['running'::text, 'paused'::text])) = (finished_at IS NULL)))",
  "bulk_jobs: CHECK ((kind = ANY (ARRAY['retry'::text, 'cancel'::text, 'accept'::text, 'replay_missing'::text, 'replay'::text, 'take_in'::text])))",
  "bulk_jobs: CHECK ((status = ANY (ARRAY['running'::text, 'paused'::text, 'finished'::text, 'cancelled'::text])))",
  "credentials: CHECK ((kind = ANY (ARRAY['bearer'::text, 'basic'::text, 'header'::text, 'query'::text, 'oauth2'::text, 'hmac'::text, 'certificate'::text, 'aws'::text])))",
  "database_clock: CHECK ((id = 1))",
  "deliveries: CHECK ((status = ANY (ARRAY['accepted'::text, 'duplicate'::text, 'rejected'::text, 'pending'::text, 'handshake'::text, 'batch'::text])))",
  "destinations: CHECK (((rate_count IS NULL) = (rate_seconds IS NULL)))",
  "destinations: CHECK ((num_nulls(breaker_failures, breaker_window_seconds, breaker_open_seconds) = ANY (ARRAY[0, 3])))",
  "device_sign_ins: CHECK ((decision = ANY (ARRAY['allowed'::text, 'denied'::text])))",
  "erasure_rules: CHECK ((mode = ANY (ARRAY['delete'::text, 'redact'::text])))",
  "erasures: CHECK (((status = 'running'::text) = (ciphertext IS NOT NULL)))",
  "erasures: CHECK (((status = 'running'::text) = (finished_at IS NULL)))",
  "erasures: CHECK ((mode = ANY (ARRAY['delete'::text, 'redact'::text])))",
  "erasures: CHECK ((status = ANY (ARRAY['running'::text, 'finished'::text, 'cancelled'::text])))",
  "event_types: CHECK ((on_mismatch = ANY (ARRAY['warn'::text, 'reject'::text])))",
  "gap_events: CHECK ((state = ANY (ARRAY['known'::text, 'missing'::text, 'taken'::text, 'asked'::text, 'repeated'::text, 'refused'::text])))",
  "gap_schedules: CHECK ((every = ANY (ARRAY['hour'::text, 'day'::text])))",
  "gap_schedules: CHECK ((take_in = ANY (ARRAY['none'::text, 'store'::text, 'run'::text])))",
  "gaps: CHECK (((status = 'asking'::text) = (finished_at IS NULL)))",
  "gaps: CHECK ((status = ANY (ARRAY['asking'::text, 'found'::text, 'failed'::text, 'cancelled'::text])))",
  "hook_days: CHECK ((counted = ANY (ARRAY['deliveries'::text, 'runs'::text])))",
  "hook_secrets: CHECK ((origin = ANY (ARRAY['pasted'::text, 'handshake'::text])))",
  "hooks: CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text])))",
  "invitations: CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text])))",
  "memberships: CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text])))",
  "muted_failures: CHECK ((target_id = COALESCE(action_id, subscription_id)))",
  "notices: CHECK ((kind = ANY (ARRAY['subscription_failing'::text, 'subscription_disabled'::text])))",
  "problems: CHECK ((((state = 'resolved'::text) = (resolved_at IS NOT NULL)) AND ((state = 'resolved'::text) = (resolution IS NOT NULL))))",
  "problems: CHECK ((kind = ANY (ARRAY['action_failing'::text, 'rejected'::text, 'silence'::text, 'shape'::text, 'missing_events'::text, 'subscription_failing'::text, 'audit_failing'::text, 'disk'::text, 'spool'::text, 'archive'::text, 'clock'::text, 'database'::text, 'registration'::text, 'quota'::text, 'certificate'::text])))",
  "problems: CHECK ((resolution = ANY (ARRAY['recovered'::text, 'manual'::text, 'muted'::text, 'deleted'::text, 'disabled'::text])))",
  "problems: CHECK ((state = ANY (ARRAY['open'::text, 'acknowledged'::text, 'resolved'::text])))",
  "recipients: CHECK ((num_nulls(quota_limit, quota_per, quota_when_used_up) = ANY (ARRAY[0, 3])))",
  "recipients: CHECK ((quota_per = ANY (ARRAY['day'::text, 'month'::text])))",
  "recipients: CHECK ((quota_when_used_up = ANY (ARRAY['delay'::text, 'refuse'::text])))",
  "registrations: CHECK ((recreate = ANY (ARRAY['ask'::text, 'always'::text])))",
  "registrations: CHECK ((status = ANY (ARRAY['connecting'::text, 'registered'::text, 'missing'::text, 'failing'::text, 'removing'::text])))",
  "run_steps: CHECK ((state = ANY (ARRAY['calling'::text, 'waiting'::text, 'retrying'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text, 'reset'::text])))",
  `runs: CHECK ((state = ANY (ARRAY[${texts(endedRunStates)}])))`,
  "saved_views: CHECK ((list = ANY (ARRAY['deliveries'::text, 'runs'::text])))",
  "seal_check: CHECK ((id = 1))",
  "subscription_secrets: CHECK ((kind = ANY (ARRAY['hmac'::text, 'ed25519'::text])))",
  "subscriptions: CHECK (((rate_count IS NULL) = (rate_seconds IS NULL)))",
  "subscriptions: CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text, 'pending'::text])))",
  "usage_days: CHECK ((kind = ANY (ARRAY['hook'::text, 'recipient'::text])))",
  "usage_hours: CHECK ((kind = ANY (ARRAY['hook'::text, 'recipient'::text])))",
  "usage_progress: CHECK ((id = 1))",
];

function texts(values: readonly string[]): string {
  return values.map((value) => `'${value}'::text`).join(", ");
}

test("the migrations make the tables that prisma/schema.prisma describes", async () => {
  const migrated = await createTestDatabase();
  const described = await createTestDatabase({ empty: true });
  try {
    const schema = { path: schemaPath, content: readFileSync(schemaPath, "utf8") };
    const sql = await writeTables(described.url, schema);
    await withConnection(described.url, (client) => client.query(sql));
    const [actual, expected] = [await readCatalog(migrated.url), await readCatalog(described.url)];
    expect(expected.filter((line) => !actual.includes(line))).toEqual([]);
    expect(actual.filter((line) => !expected.includes(line))).toEqual(onlyInSql);
  } finally {
    await Promise.all([migrated.drop(), described.drop()]);
  }
});

/**
 * Columns, indexes, and constraints as text, by the order of their bytes. Partitions are left out:
 * they follow their table.
 */
async function readCatalog(url: string): Promise<readonly string[]> {
  const { rows } = await withConnection(url, (client) =>
    client.query<{ line: string }>(`
      with tables as (
        select oid, relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and relname <> '_prisma_migrations'
      )
      select * from (select format('%s.%s %s', relname, attname, format_type(atttypid, atttypmod))
        || case when attnotnull then ' not null' else '' end
        || coalesce(' default ' || replace(pg_get_expr(adbin, adrelid), 'now()', 'CURRENT_TIMESTAMP'), '') as line
      from tables join pg_attribute on attrelid = tables.oid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped
      union all
      select replace(pg_get_indexdef(indexrelid), ' ONLY ', ' ') from tables join pg_index on indrelid = tables.oid
      union all
      select format('%s: %s', relname, pg_get_constraintdef(pg_constraint.oid))
      from tables join pg_constraint on conrelid = tables.oid where contype in ('f', 'c')) lines
      order by line collate "C"`),
  );
  return rows.map(({ line }) => line);
}
