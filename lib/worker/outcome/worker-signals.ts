import { Signal } from "#lib/base/signals.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";
import type { CallResult } from "#lib/net/call-result.ts";

/** The purpose of a call. */
export type CallPurpose = {
  readonly run: ClaimedRun;
  /** The step's key. Null: the run is this one call. */
  readonly step: string | null;
  /** Counted from 1 for the run, or for the step. */
  readonly attempt: number;
  /** True if the run has made no call before. */
  readonly isFirst: boolean;
};

/** The purpose of a run's only call. */
export function purposeOf(run: ClaimedRun): CallPurpose {
  const { attemptNumber: attempt } = run;
  return { run, step: null, attempt, isFirst: attempt === 1 };
}

/** A call that has a listener. */
export type ReportedCall = CallPurpose & {
  /** A listener may replace it, to add headers. */
  request: OutgoingRequest;
  readonly startedAtMs: number;
};

const callStarted = new Signal<ReportedCall>("call.started");
const callEnded = new Signal<{ call: ReportedCall; result: CallResult }>("call.ended");
/** The outcomes of runs are written. */
const runsFinished = new Signal<{ runs: readonly FinishedRun[] }>("runs.finished");

export const workerSignals = { callStarted, callEnded, runsFinished };

/** Reports that a call begins. Null: there is no listener. */
export function reportCall(purpose: CallPurpose, request: OutgoingRequest): ReportedCall | null {
  if (!callStarted.isHeard && !callEnded.isHeard) return null;
  const call = { ...purpose, request, startedAtMs: Date.now() };
  callStarted.send(call);
  return call;
}

export function reportCallEnd(call: ReportedCall | null, result: CallResult): void {
  if (call !== null) callEnded.send({ call, result });
}

/** @param late the ids of runs that had been taken over, whose outcomes don't count */
export function reportFinished(runs: readonly FinishedRun[], late: ReadonlySet<string>): void {
  if (runsFinished.isHeard) runsFinished.send({ runs: runs.filter(({ id }) => !late.has(id)) });
}
