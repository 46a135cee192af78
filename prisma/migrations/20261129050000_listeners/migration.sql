-- Programs that hear a hook's deliveries, such as a tunnel to a developer's machine.
-- See docs/decisions/database/110-a-listener-reads-a-numbered-log.md.
create table listeners (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade on update cascade,
  -- The person it belongs to, or the token without one.
  owner_id uuid not null,
  owner_name text not null,
  name text,
  -- Empty: all.
  hook_ids uuid[] default array[]::uuid[],
  event_types text[] default array[]::text[],
  read_position bigint not null default 0,
  last_cursor bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);
create unique index listeners_account_id_owner_id_name_key on listeners (account_id, owner_id, name);
create index listeners_account_id_id_idx on listeners (account_id, id);

create table listener_connections (
  id uuid primary key,
  account_id uuid not null,
  listener_id uuid not null references listeners (id) on delete cascade on update cascade,
  host text not null,
  is_shared boolean not null default false,
  stream bigint not null default 0,
  connected_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);
create index listener_connections_listener_id_idx on listener_connections (listener_id);

-- Handed to a connection, and not acknowledged yet.
create table listener_frames (
  listener_id uuid not null references listeners (id) on delete cascade on update cascade,
  cursor bigint not null,
  account_id uuid not null,
  delivery_id uuid not null,
  connection_id uuid not null,
  primary key (listener_id, cursor)
);

-- What was stored for accounts that listen, before it gets its position.
create table listener_inbox (
  id bigserial,
  account_id uuid not null,
  hook_id uuid not null,
  -- Null: for all that listen to the hook.
  listener_id uuid,
  delivery_ids uuid[],
  primary key (account_id, id)
);

create table listener_heads (
  account_id uuid primary key,
  position bigint not null default 0
);

create table listener_log (
  account_id uuid not null,
  position bigint not null,
  hook_id uuid not null,
  listener_id uuid,
  delivery_id uuid not null,
  primary key (account_id, position)
);
