-- Versions of the data of an event type. The newest one is in event_types, the former ones here. See
-- docs/decisions/database/163-subscribers-are-pinned-to-a-version.md.
alter table event_types
  -- `first`, or a date.
  add column version text not null default 'first',
  -- Makes data of this version into that of the one before.
  add column transform text,
  add column note text,
  add column version_at timestamptz(3);

create table event_type_versions (
  account_id uuid not null,
  name text not null,
  version text not null,
  schema json,
  example json,
  transform text,
  note text,
  created_at timestamptz(3) not null,
  -- From then on, its subscribers get the next one. Null: it stays.
  ends_at timestamptz(3),

  constraint event_type_versions_pkey primary key (account_id, name, version)
);
alter table event_type_versions add constraint event_type_versions_account_id_name_fkey
  foreign key (account_id, name) references event_types (account_id, name)
  on delete cascade on update cascade;

alter table subscriptions add column payload_version text not null default 'first';
