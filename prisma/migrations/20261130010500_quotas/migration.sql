-- How many events a recipient gets in a day or month. See docs/decisions/actions/138-a-send-is-counted-before-its-first-call.md.
alter table recipients add column quota_limit integer;
alter table recipients add column quota_per text;
alter table recipients add column quota_when_used_up text;
alter table recipients add constraint recipients_quota_check check (num_nulls(quota_limit, quota_per, quota_when_used_up) in (0, 3));
alter table recipients add constraint recipients_quota_per_check check (quota_per in ('day', 'month'));
alter table recipients add constraint recipients_quota_when_used_up_check check (quota_when_used_up in ('delay', 'refuse'));

-- How much of a quota is used.
create table quota_uses (
  account_id uuid not null,
  recipient text not null,
  per text not null,
  -- The first day, in UTC.
  starts_on date not null,
  used integer not null,
  primary key (account_id, recipient, per, starts_on),
  foreign key (account_id, recipient) references recipients (account_id, id) on delete cascade on update cascade
);

-- A send that a quota has counted. Its later calls aren't.
create table quota_sends (
  run_id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade on update cascade,
  counted_at timestamptz(3) not null default now()
);
create index quota_sends_account_id_idx on quota_sends (account_id);
create index quota_sends_counted_at_idx on quota_sends (counted_at);

alter table problems drop constraint problems_kind_check;
alter table problems add constraint problems_kind_check check (kind in ('action_failing', 'rejected', 'silence', 'shape', 'missing_events', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock', 'database', 'registration', 'quota'));
alter table alert_rules drop constraint alert_rules_kind_check;
alter table alert_rules add constraint alert_rules_kind_check check (kind in ('action_failing', 'rejected', 'silence', 'shape', 'missing_events', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock', 'database', 'registration', 'quota'));

-- As with every kind that was added: whoever is told of failing subscriptions is told of quotas.
insert into alert_rules (id, account_id, kind, threshold, within_seconds, channel_ids, quiet_hours, digest, remind_minutes, enabled)
select uuid_v7_at(now()), account_id, 'quota', 1, 600, channel_ids, quiet_hours, digest, null, enabled
from alert_rules where kind = 'subscription_failing';
