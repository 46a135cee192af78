-- Rules that find the values of a person who was forgotten when they arrive again. See
-- docs/decisions/database/171-a-rule-knows-a-value-by-its-hash.md.
alter table erasures add column later_arrivals boolean not null default false;
-- The rules that started it.
alter table erasures add column rule_ids uuid[];
-- Null: it is older than this column, or a rule started it.
alter table erasures add column created_by text;

create table erasure_rules (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade on update cascade,
  -- The erasure that left it.
  erasure_id uuid not null,
  -- HMAC-SHA-256 of the value, with the key in erasure_watches. The value itself isn't stored.
  value_hash bytea not null,
  -- As in that erasure.
  fingerprint text not null,
  mode text not null check (mode in ('delete', 'redact')),
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  -- The deliveries and events that had the value.
  matches int not null default 0,
  last_match_at timestamptz(3)
);
create unique index erasure_rules_account_id_value_hash_key on erasure_rules (account_id, value_hash);
create index erasure_rules_account_id_id_idx on erasure_rules (account_id, id);

-- One row for each account with rules.
create table erasure_watches (
  account_id uuid primary key references accounts (id) on delete cascade on update cascade,
  -- The key of the hashes: AES-256-GCM, bound to this row.
  key_ciphertext bytea not null,
  -- The snapshots up to which deliveries and events were looked at.
  progress json not null,
  -- Null: there is more to look at.
  checked_at timestamptz(3)
);
