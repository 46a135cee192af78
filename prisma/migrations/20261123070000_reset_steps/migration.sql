-- A user can retry a run from a step on: the ledger keeps the attempts of the steps that come again.
ALTER TABLE "run_steps" DROP CONSTRAINT "run_steps_state_check";
ALTER TABLE "run_steps" ADD CONSTRAINT "run_steps_state_check"
  CHECK (state IN ('calling', 'waiting', 'retrying', 'unknown', 'succeeded', 'failed', 'skipped', 'reset'));
