-- Why a version was saved, in the words of the person who saved it.
alter table action_versions add column note text;
