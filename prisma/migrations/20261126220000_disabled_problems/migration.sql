-- A problem of an action that was disabled is over.
ALTER TABLE "problems" DROP CONSTRAINT "problems_resolution_check";
ALTER TABLE "problems" ADD CONSTRAINT "problems_resolution_check" CHECK ("resolution" IN ('recovered', 'manual', 'muted', 'deleted', 'disabled'));
