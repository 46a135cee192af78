-- What the program behind a listener responded to a delivery, such as a developer's own machine: the latest response
-- through each listener. It stays for a week. See docs/decisions/database/147-a-listeners-responses-stay-a-week.md.
create table listener_responses (
  delivery_id uuid not null,
  listener_id uuid not null,
  -- Of the frame. Only the latest ones of a listener stay.
  cursor bigint not null,
  account_id uuid not null references accounts (id) on delete cascade on update cascade,
  -- As they were: a listener may be gone by now.
  listener_name text,
  owner_name text not null,
  host text not null,
  status integer not null,
  -- JSON of `[[name, value], …]`, without credentials.
  headers json not null,
  -- The beginning of the body.
  body bytea not null,
  body_bytes bigint not null,
  duration_ms integer not null,
  responded_at timestamptz(3) not null default now(),
  primary key (delivery_id, listener_id)
);
create index listener_responses_account_id_idx on listener_responses (account_id);
create index listener_responses_listener_id_cursor_idx on listener_responses (listener_id, cursor);
create index listener_responses_responded_at_idx on listener_responses (responded_at);
