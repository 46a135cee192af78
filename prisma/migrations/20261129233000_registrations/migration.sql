-- Webhooks that Catchment keeps registered at a hook's provider. See
-- docs/decisions/verification/155-a-registration-is-a-wanted-state.md.
create table registrations (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade on update cascade,
  hook_id uuid not null references hooks (id) on delete cascade on update cascade,
  -- Null: it was deleted since.
  credential_id uuid references credentials (id) on delete set null on update cascade,
  provider text not null,
  resource text not null default '',
  event_types text[],
  recreate text not null default 'ask',
  status text not null default 'connecting',
  reason text,
  -- What the provider has. Null: it was not registered yet.
  provider_id text,
  url text,
  applied_types text[] default array[]::text[],
  secret_id uuid,
  is_adopted boolean not null default false,
  may_create boolean not null default true,
  revived_at timestamptz(3),
  checked_at timestamptz(3),
  failing_since timestamptz(3),
  try_count integer not null default 0,
  next_at timestamptz(3) not null,
  lease_id uuid,
  leased_until timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  constraint registrations_status_check check (status in ('connecting', 'registered', 'missing', 'failing', 'removing')),
  constraint registrations_recreate_check check (recreate in ('ask', 'always'))
);
create unique index registrations_hook_id_key on registrations (hook_id);
create index registrations_account_id_idx on registrations (account_id);
create index registrations_credential_id_idx on registrations (credential_id);
create index registrations_next_at_idx on registrations (next_at);

alter table problems drop constraint problems_kind_check;
alter table problems add constraint problems_kind_check check (kind in ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock', 'database', 'registration'));
alter table alert_rules drop constraint alert_rules_kind_check;
alter table alert_rules add constraint alert_rules_kind_check check (kind in ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock', 'database', 'registration'));

-- Whoever is told that a hook is silent is told that its webhook is gone, as the first channel of a new account is.
insert into alert_rules (id, account_id, kind, threshold, within_seconds, channel_ids, quiet_hours, digest, remind_minutes, enabled)
select uuid_v7_at(now()), account_id, 'registration', threshold, within_seconds, channel_ids, quiet_hours, digest, null, enabled
from alert_rules where kind = 'silence';
