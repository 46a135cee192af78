-- A person who is forgotten: a job that deletes what contains some values, or redacts them. See
-- docs/decisions/dashboard/152-a-person-is-forgotten-by-one-job.md.
create table erasures (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade on update cascade,
  mode text not null check (mode in ('delete', 'redact')),
  -- It only counts.
  dry_run boolean not null,
  status text not null default 'running' check (status in ('running', 'finished', 'cancelled')),
  -- The values: AES-256-GCM, bound to this row. Removed at the end.
  ciphertext bytea,
  -- A keyed hash of each value, by which a receipt is recognized.
  fingerprints text[],
  -- Where it has come to, without anything of a payload.
  progress json not null,
  -- By place: how many rows had a value, and how many were changed.
  counts json not null,
  lease_id uuid,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  check ((status = 'running') = (finished_at is null)),
  check ((status = 'running') = (ciphertext is not null))
);
create index erasures_account_id_id_idx on erasures (account_id, id);
create index erasures_running_idx on erasures (id) where finished_at is null;
