-- What an account has used, by day. See docs/decisions/database/137-usage-is-counted-from-the-rows.md.
create table usage_days (
  account_id uuid not null,
  day date not null,
  -- `hook`, whose id is the subject, or `recipient`. An empty subject: events without a recipient.
  kind text not null,
  subject text not null,
  deliveries bigint not null default 0,
  bytes bigint not null default 0,
  events bigint not null default 0,
  sends bigint not null default 0,
  calls bigint not null default 0,
  primary key (account_id, day, kind, subject),
  constraint usage_days_kind_check check (kind in ('hook', 'recipient'))
);

-- The part of a day that was counted from the rows of one hour, until its rows are removed with their week.
create table usage_hours (
  hour timestamptz(3) not null,
  account_id uuid not null,
  kind text not null,
  subject text not null,
  deliveries bigint not null default 0,
  bytes bigint not null default 0,
  events bigint not null default 0,
  sends bigint not null default 0,
  calls bigint not null default 0,
  primary key (hour, account_id, kind, subject),
  constraint usage_hours_kind_check check (kind in ('hook', 'recipient'))
);

-- Hours that are counted again.
create table usage_recounts (
  hour timestamptz(3) primary key,
  recount_at timestamptz(3) not null
);
create index usage_recounts_recount_at_idx on usage_recounts (recount_at);

create table usage_progress (
  id integer primary key default 1,
  -- Rows with earlier ids are counted, from this hour on: what was stored before the update comes later.
  counted_from timestamptz(3) not null,
  counted_until timestamptz(3) not null,
  -- Hours before it are never counted again: their week was dropped.
  final_before timestamptz(3) not null,
  constraint usage_progress_id_check check (id = 1)
);
