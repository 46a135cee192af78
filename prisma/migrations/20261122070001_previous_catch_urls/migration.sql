-- Keys of catch URLs that were replaced: deliveries to them are accepted until they expire.
create table hook_previous_keys (
  id uuid primary key,
  hook_id uuid not null references hooks (id) on delete cascade,
  key text not null unique,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index hook_previous_keys_hook_id_idx on hook_previous_keys (hook_id);

create trigger hook_previous_keys_changed after insert or update or delete on hook_previous_keys
  for each row execute function notify_hook_changed('hook_id');
