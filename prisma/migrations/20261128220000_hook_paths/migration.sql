-- Readable last segments of catch URLs, unique in an account: one is a hook's current path, others are previous ones
-- that deliveries still come to until they expire.
create table hook_paths (
  account_id uuid not null references accounts (id) on delete cascade,
  path text not null,
  hook_id uuid not null references hooks (id) on delete cascade,
  expires_at timestamptz(3),
  primary key (account_id, path)
);
create index hook_paths_hook_id_idx on hook_paths (hook_id);

create trigger hook_paths_changed after insert or update or delete on hook_paths
  for each row execute function notify_hook_changed('hook_id');
