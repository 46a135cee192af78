-- The audit log: who did what, in a chain per account. Neither table refers to accounts, because the
-- entries outlive them. See docs/decisions/platform for what this finds, and what it can't.
create table audit_chains (
  account_id uuid primary key,
  key_id uuid not null,
  key_ciphertext bytea not null,
  seq bigint not null,
  mac bytea not null,
  head_mac bytea not null,
  -- Entries up to this one may have been removed by their retention.
  kept_after bigint not null default 0,
  kept_mac bytea,
  checkpoint_mac bytea,
  posted_at timestamptz(3)
);

create table audit_entries (
  account_id uuid not null,
  seq bigint not null,
  key_id uuid not null,
  at timestamptz(3) not null,
  event text not null,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  ip text,
  user_agent text,
  request_id text,
  targets json not null,
  target_ids text[],
  changes json,
  mac bytea not null,
  primary key (account_id, seq)
);
create index audit_entries_account_id_event_seq_idx on audit_entries (account_id, event, seq);
create index audit_entries_account_id_actor_id_seq_idx on audit_entries (account_id, actor_id, seq);
create index audit_entries_target_ids_idx on audit_entries using gin (target_ids);

-- Rows are only added, and the oldest removed behind a checkpoint.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.seq <= (select kept_after from audit_chains where account_id = old.account_id)
    then return old;
  end if;
  raise exception 'The audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_audit_change();

create function refuse_audit_removal() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_audit_removal();
create trigger audit_chains_no_removal before delete on audit_chains
  for each row execute function refuse_audit_removal();
create trigger audit_chains_no_truncate before truncate on audit_chains
  for each statement execute function refuse_audit_removal();

-- The head of a chain moves forward, by one entry at a time.
create function require_audit_progress() returns trigger language plpgsql as $$
begin
  if new.account_id = old.account_id and new.seq in (old.seq, old.seq + 1)
    and new.kept_after between old.kept_after and new.seq
    then return new;
  end if;
  raise exception 'The audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_chains_progress before update on audit_chains
  for each row execute function require_audit_progress();
