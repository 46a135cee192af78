-- Where a listener begins to hear a hook that was added when it connected again, so that it doesn't hear what that hook
-- had accepted before.
alter table listeners add column hook_positions jsonb not null default '{}';
