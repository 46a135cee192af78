-- What configuration files manage: everything that an apply has adopted, with the mark of the files. A mark of
-- something that was deleted means nothing, and the next apply removes it.
-- See docs/decisions/database/142-marks-are-rows-of-their-own.md.
create table configuration_marks (
  account_id uuid not null references accounts (id) on delete cascade on update cascade,
  -- Such as "hook".
  kind text not null,
  -- An id, or the name of an event type.
  item_id text not null,
  managed_by text not null,
  marked_at timestamptz(3) not null default now(),
  primary key (account_id, kind, item_id)
);
