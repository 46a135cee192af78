import { timeOfId } from "#lib/base/ids.ts";
import { jobTurnEnded } from "#lib/jobs/job-signal.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import { workerSignals } from "#lib/worker/outcome/worker-signals.ts";
import type { Meter } from "./meter.ts";

/** Attempts, calls, and background jobs of a worker. */
export function measureRuns(meter: Meter): void {
  const calls = meter.counter("catchment_calls_total");
  const callSeconds = meter.histogram("catchment_call_seconds");
  const firstCalls = meter.histogram("catchment_first_call_seconds");
  workerSignals.callEnded.listen(({ call, result }) => {
    const { run, step, isFirst, startedAtMs } = call;
    const kind = step === null ? run.kind : "step";
    calls(1, kind, toOutcome(result));
    callSeconds.observe(result.durationMs / 1_000, kind);
    if (isFirst) firstCalls.observe(secondsSince(run.id, startedAtMs), run.kind);
  });
  const attempts = meter.counter("catchment_attempts_total");
  const runSeconds = meter.histogram("catchment_run_seconds");
  workerSignals.runsFinished.listen(({ runs }) => {
    const nowMs = Date.now();
    for (const { id, kind, next } of runs) {
      attempts(1, kind, next.state);
      if (next.state !== "retrying") runSeconds.observe(secondsSince(id, nowMs), kind, next.state);
    }
  });
  measureJobs(meter);
}

/** The id of a run begins with the time when its delivery or event arrived. Clocks may differ. */
function secondsSince(runId: string, nowMs: number): number {
  return Math.max(0, nowMs - timeOfId(runId)) / 1_000;
}

function toOutcome(result: CallResult): string {
  if (!result.ok) return result.error.code;
  return `${Math.floor(result.response.status / 100)}xx`;
}

function measureJobs(meter: Meter): void {
  const turns = meter.counter("catchment_job_turns_total");
  const seconds = meter.counter("catchment_job_seconds_total");
  jobTurnEnded.listen(({ kind: job, outcome, durationMs }) => {
    turns(1, job, outcome);
    // A rate doesn't see the first failure of a series that begins with it.
    turns(0, job, "failed");
    seconds(durationMs / 1_000, job);
  });
}
