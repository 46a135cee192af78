-- The number of the newest entry of the audit log when the files were last applied: what is newer was changed outside
-- of them. See docs/decisions/database/149-what-was-changed-outside-of-files.md.
alter table configuration_marks add column applied_seq bigint not null default 0;
update configuration_marks m set applied_seq = c.seq from audit_chains c where c.account_id = m.account_id;
