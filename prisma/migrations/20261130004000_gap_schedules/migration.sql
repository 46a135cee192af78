-- How often a provider is asked, without a person, for what never arrived at a hook. See
-- docs/decisions/verification/160-a-schedule-searches-and-may-take-in.md.
create table gap_schedules (
  hook_id uuid primary key references hooks (id) on delete cascade on update cascade,
  account_id uuid not null references accounts (id) on delete cascade on update cascade,
  -- Null: it was deleted since.
  credential_id uuid references credentials (id) on delete set null on update cascade,
  every text not null,
  -- none: a problem says what is missing, and a person decides.
  take_in text not null,
  -- Up to here everything was searched. Null: nothing yet.
  searched_until timestamptz(3),
  next_at timestamptz(3) not null default now(),
  saved_by text not null,
  updated_at timestamptz(3) not null default now(),
  constraint gap_schedules_every_check check (every in ('hour', 'day')),
  constraint gap_schedules_take_in_check check (take_in in ('none', 'store', 'run'))
);
create index gap_schedules_next_at_idx on gap_schedules (next_at);
create index gap_schedules_account_id_idx on gap_schedules (account_id);
create index gap_schedules_credential_id_idx on gap_schedules (credential_id);

-- Asked by a schedule, and whether what it found was looked at.
alter table gaps add column is_scheduled boolean not null default false;
alter table gaps add column followed_at timestamptz(3);
create index gaps_unfollowed_idx on gaps (id) where is_scheduled and followed_at is null;

alter table problems drop constraint problems_kind_check;
alter table problems add constraint problems_kind_check check (kind in ('action_failing', 'rejected', 'silence', 'shape',
  'missing_events', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock', 'database', 'registration'));
alter table alert_rules drop constraint alert_rules_kind_check;
alter table alert_rules add constraint alert_rules_kind_check check (kind in ('action_failing', 'rejected', 'silence',
  'shape', 'missing_events', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock', 'database', 'registration'));
