-- What a provider says happened in a time, compared with what arrived at a hook. See
-- docs/decisions/verification/154-fetched-events-take-the-path-of-a-catch.md.
create table gaps (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade on update cascade,
  hook_id uuid not null references hooks (id) on delete cascade on update cascade,
  -- Null: it was deleted since.
  credential_id uuid references credentials (id) on delete set null on update cascade,
  provider text not null,
  status text not null default 'asking',
  -- What was asked for, and what the provider could be asked for.
  asked_from timestamptz(3) not null,
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  -- Where the next page begins. Null: the first page.
  cursor text,
  -- The last hour is read a second time, because a provider may list an event late.
  is_second_look boolean not null default false,
  event_count integer not null default 0,
  missing_count integer not null default 0,
  taken_count integer not null default 0,
  -- Missing when it was searched, and here when it was taken in.
  repeated_count integer not null default 0,
  refused_count integer not null default 0,
  -- Of the events that it keeps until they are taken in.
  stored_bytes bigint not null default 0,
  -- Why it failed, or waits.
  reason text,
  try_count integer not null default 0,
  next_at timestamptz(3),
  lease_id uuid,
  leased_until timestamptz(3),
  job_id uuid,
  asked_by text not null,
  taken_by text,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  constraint gaps_status_check check (status in ('asking', 'found', 'failed', 'cancelled')),
  constraint gaps_finished_check check ((status = 'asking') = (finished_at is null))
);
create index gaps_hook_id_id_idx on gaps (hook_id, id);
create index gaps_account_id_id_idx on gaps (account_id, id);
create index gaps_credential_id_idx on gaps (credential_id);
create index gaps_asking_idx on gaps (id) where finished_at is null;

-- The events that the provider listed. Only a missing one has a body, until it is taken in.
create table gap_events (
  gap_id uuid not null references gaps (id) on delete cascade on update cascade,
  -- As in dedupe_keys.
  key uuid not null,
  state text not null,
  event_id text,
  event_type text,
  -- By the provider's clock.
  occurred_at timestamptz(3) not null,
  body bytea,
  delivery_id uuid,
  primary key (gap_id, key),
  constraint gap_events_state_check check (state in ('known', 'missing', 'taken', 'repeated', 'refused'))
);
create index gap_events_missing_idx on gap_events (gap_id, occurred_at, key) where state = 'missing';
create index gap_events_delivery_id_idx on gap_events (delivery_id) where delivery_id is not null;

alter table bulk_jobs drop constraint bulk_jobs_kind_check;
alter table bulk_jobs add constraint bulk_jobs_kind_check
  check (kind in ('retry', 'cancel', 'accept', 'replay_missing', 'replay', 'take_in'));
