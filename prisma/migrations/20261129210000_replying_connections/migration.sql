-- The connection of a listener whose program responds to the provider of a hook: at most one. See
-- docs/decisions/catch/148-a-listener-can-answer-the-provider.md.
create table replying_connections (
  hook_id uuid primary key references hooks (id) on delete cascade on update cascade,
  account_id uuid not null references accounts (id) on delete cascade on update cascade,
  connection_id uuid not null references listener_connections (id) on delete cascade on update cascade
);
create index replying_connections_account_id_idx on replying_connections (account_id);
create index replying_connections_connection_id_idx on replying_connections (connection_id);

-- Catch processes wait for it from now on, or no longer.
create trigger replying_connections_notify_hook after insert or delete on replying_connections
  for each row execute function notify_hook_changed('hook_id');

-- What the provider gets: {status, headers, body}, with the body in base64. A status of null: it can't be passed on.
alter table listener_responses add column reply json;

alter table answers drop constraint answers_sent_as_check;
alter table answers add constraint answers_sent_as_check check (sent_as in
  ('answer', 'none', 'timeout', 'busy', 'closed', 'stopping', 'listener', 'listener_none', 'listener_timeout'));
