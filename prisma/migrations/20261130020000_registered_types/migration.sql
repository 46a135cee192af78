-- The event types that the provider had at the last look, also those that someone added there.
alter table registrations add column registered_types text[] default array[]::text[];
update registrations set registered_types = applied_types;
