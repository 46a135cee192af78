-- A worker gives back what waits in its memory for an action that changed, whatever changed: also a credential, by an
-- update that changes no column.
DROP TRIGGER "actions_notify_hook" ON "actions";
CREATE TRIGGER "actions_notify_hook" AFTER UPDATE ON "actions"
  FOR EACH ROW EXECUTE FUNCTION notify_hook_changed('hook_id');
