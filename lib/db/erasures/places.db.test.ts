import { expect, it } from "vitest";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { rowsToErase, rowsToName, rowsToOpen } from "./places.ts";

const { db } = withDatabase();

/** Columns without anything of a payload: our own words, hashes, and what people of the team are called. */
const without =
  /^(?:_prisma_migrations|users|identities|totp_secrets|recovery_codes|passkeys|used_challenges|password_resets|email_changes|device_sign_ins|oauth_clients|authorization_codes|event_callbacks|sessions|memberships|setup_tokens|sign_in_throttles|hook_secrets|hook_previous_keys|subscription_secrets|rejected_counts|workers|seal_check|archived_weeks|spools|machine_clocks|problem_scans|audit_chains|erasures|erasure_rules|erasure_watches|alert_rules|alerts|muted_failures|last_deliveries|.*_statistics|hook_days|usage_hours|bulk_job_runs|configuration_marks|registrations)\.|[._](?:hash|ciphertext|mac|kind|status|state|mode|reason|reason_code|error_code|role|provider|methods?|scopes|hint|list|outcome|slug|step|key|digest)$|\.(?:draft_auth|current_auth|current_outcome|code|event|actor_type|actor_id|request_id|target_ids|sent_as|verification_scheme|portal_color|portal_logo|signature_header|on_mismatch|masked_fields|dismissed_notices|resolution|acknowledged_by|resolved_by|commented_by|asked_by|taken_by|saved_by|every|take_in|webhook|created_by|recreate|quota_per|quota_when_used_up|per|link_token|capabilities|client_id|provider|hook_positions|verification_outcome|version|payload_version)$/;

it("knows every column with text", async () => {
  const rows = await db.$queryRaw<{ name: string }[]>`
    select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
      and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'text[]'::regtype, 'json'::regtype, 'jsonb'::regtype, 'bytea'::regtype)`;
  const known = new Set(
    [...rowsToErase, ...rowsToOpen, ...rowsToName].flatMap(({ table, columns }) =>
      columns.map(({ name }) => `${table}.${name}`),
    ),
  );
  const unknown = rows
    .map(({ name }) => name)
    .filter((name) => !known.has(name) && !without.test(name));
  expect(unknown).toEqual([]);
});
