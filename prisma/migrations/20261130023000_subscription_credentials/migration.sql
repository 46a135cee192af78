-- The saved credential with which a subscription's events are sent, such as a client certificate.
alter table subscriptions add column credential_id uuid;
alter table subscriptions add constraint subscriptions_credential_id_fkey
  foreign key (credential_id) references credentials (id) on delete no action on update cascade;
create index subscriptions_credential_id_idx on subscriptions (credential_id);

alter table problems drop constraint problems_kind_check;
alter table problems add constraint problems_kind_check check (kind in ('action_failing', 'rejected', 'silence', 'shape', 'missing_events', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock', 'database', 'registration', 'quota', 'certificate'));
alter table alert_rules drop constraint alert_rules_kind_check;
alter table alert_rules add constraint alert_rules_kind_check check (kind in ('action_failing', 'rejected', 'silence', 'shape', 'missing_events', 'subscription_failing', 'audit_failing', 'disk', 'spool', 'archive', 'clock', 'database', 'registration', 'quota', 'certificate'));

-- As with every kind that was added: whoever is told of failing actions is told of certificates.
insert into alert_rules (id, account_id, kind, threshold, within_seconds, channel_ids, quiet_hours, digest, remind_minutes, enabled)
select uuid_v7_at(now()), account_id, 'certificate', 1, 600, channel_ids, quiet_hours, digest, null, enabled
from alert_rules where kind = 'action_failing';
