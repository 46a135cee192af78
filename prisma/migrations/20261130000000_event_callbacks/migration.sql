-- Subscriptions that an AI assistant made for a callback of its own, which end by themselves. See
-- docs/decisions/catch/158-mcp-events-are-subscriptions.md.
create table event_callbacks (
  subscription_id uuid not null,
  account_id uuid not null,
  -- The name of the subscription for its client: a hash of who made it, its URL, event type, and arguments.
  callback_id text not null,
  -- The token that made or last renewed it. It gets nothing once the token ends, so this is no foreign key.
  token_id uuid not null,
  secret_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,

  constraint event_callbacks_pkey primary key (subscription_id)
);
create unique index event_callbacks_account_id_callback_id_key on event_callbacks (account_id, callback_id);
create index event_callbacks_expires_at_idx on event_callbacks (expires_at);
alter table event_callbacks add constraint event_callbacks_subscription_id_fkey
  foreign key (subscription_id) references subscriptions (id) on delete cascade on update cascade;
alter table event_callbacks add constraint event_callbacks_account_id_fkey
  foreign key (account_id) references accounts (id) on delete cascade on update cascade;
