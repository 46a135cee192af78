-- Whether Catchment made the delivery itself. Decided by a seal, never by what a header says.
alter table deliveries add column is_sample boolean not null default false;
create index deliveries_samples_idx on deliveries (account_id, id) where is_sample;
