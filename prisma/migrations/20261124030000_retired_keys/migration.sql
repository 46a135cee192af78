-- Keys that a rotation has replaced. No process may start with one of them as its key again.
alter table seal_check add column retired_key_ids text[] default array[]::text[];
