import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { readHealth } from "#lib/core/sending/retry/receiver-health.ts";
import type { StepEnd, StepRun } from "#lib/core/steps/step-driver.ts";
import { toCallResult } from "#lib/core/steps/step-result.ts";
import { recordHealth } from "#lib/db/queue/control/record-health.ts";
import { reserveCall } from "#lib/db/queue/control/reserve-call.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import { repeatsUnknown, type StepOf } from "#lib/schema/act/steps.ts";
import { makeCall } from "../action/make-call.ts";
import { decideNext, toAttempt } from "../outcome/run-outcome.ts";
import { toStoredText } from "../outcome/stored-attempt.ts";
import { ask, done, lost, pause } from "./step-ends.ts";
import { placeOf, type WorkerRun } from "./worker-run.ts";

/**
 * Records the call in the ledger before it is sent, and its outcome before anything else is done.
 */
export async function performCall(
  worker: WorkerRun,
  stepRun: StepRun,
  request: OutgoingRequest,
): Promise<StepEnd> {
  const { run, config, ledger, context } = worker;
  const step = stepRun.step as StepOf<"call">;
  const at = placeOf(stepRun);
  const slot = await reserveSlot(worker, step, at);
  if (typeof slot === "object") return slot;
  if (!(await ledger.set(step.key, at, { state: "calling", isNewAttempt: true }))) return lost;
  const { attemptCount: number = 1, attemptsBefore = 0 } = ledger.find(step.key, at) ?? {};
  const isFirst = ledger.attemptCount === 1;
  const call = {
    purpose: { run, step: step.key, attempt: number, isFirst },
    startedAtMs: Date.now(),
    request,
    credential: config.credentials.get(step.key) ?? null,
    timeoutMs: step.timeoutMs ?? context.target.options.timeoutMs,
    secretValues: config.secretValues,
  };
  const { made, secretValues } = await makeCall(call, worker);
  const { result } = made;
  worker.onCalled(result);
  if (slot === "counts") await countForBreaker(worker, step, result);
  const attempt = toAttempt(number, made, secretValues);
  const next = decideNext(run, number - attemptsBefore, result, {
    retry: step.retry ?? config.retry,
    success: step.success ?? config.success,
    secretValues,
    random: worker.random(),
  });
  if (next.state === "retrying") {
    const isHeld = next.reason.code === "worker_stopped" && !repeatsUnknown(step);
    const change = {
      state: isHeld ? "unknown" : "retrying",
      attempt,
      delayMs: next.delayMs,
    } as const;
    if (!(await ledger.set(step.key, at, change))) return lost;
    if (isHeld) return ask(step);
    const { code, detail } = next.reason;
    return pause(step, code, detail, next.delayMs);
  }
  const isDone = next.state === "succeeded";
  const code = next.reason?.code ?? "failed";
  const message = toStoredText(next.reason?.detail ?? "", secretValues);
  const error = isDone ? null : { code, message };
  const resultJson = toCallResult(result.response, error, secretValues, ledger.resultChars);
  const state = isDone ? "succeeded" : "failed";
  const change = { state, attempt, resultJson, ...(error !== null && { error }) } as const;
  if (!(await ledger.set(step.key, at, change))) return lost;
  return error === null ? done : { kind: "failed", key: step.key, ...error };
}

/** A call that can't be counted, as during a failover, has its outcome nevertheless. */
async function countForBreaker(
  { db, run }: WorkerRun,
  { key, request }: StepOf<"call">,
  result: CallResult,
): Promise<void> {
  const { id: runId } = run;
  const outcome = { health: readHealth(result), durationMs: result.durationMs };
  const targetId = request.destinationId ?? "";
  try {
    await recordHealth(db, [{ targetId, runId, ...outcome }]);
  } catch (error) {
    log.warn("step.health_not_recorded", { runId, step: key, error: toError(error) });
  }
}

/**
 * Reserves a call to a destination, which waits in the database until the destination's limits
 * allow it. `counts`: the call can be made now, and its outcome counts for the breaker.
 */
async function reserveSlot(
  { db, run, ledger }: WorkerRun,
  step: StepOf<"call">,
  at: number,
): Promise<StepEnd | "now" | "counts"> {
  const { key, request } = step;
  const { destinationId } = request;
  if (!destinationId) return "now";
  // The call was reserved before the run went back to the queue.
  const isReserved = ledger.find(key, at)?.state === "waiting";
  const { accountId, id: runId } = run;
  if (isReserved) return "counts";
  const { waitMs, isDown, hasBreaker } = await reserveCall(db, { accountId, destinationId, runId });
  if (waitMs <= 0) return hasBreaker ? "counts" : "now";
  const delayMs = Math.ceil(waitMs);
  if (isDown) return pause(step, "receiver_down", down, delayMs);
  if (!(await ledger.set(key, at, { state: "waiting", delayMs }))) return lost;
  return pause(step, "rate_limited", limited, delayMs);
}

const down = "held because its destination is down";
const limited = "it waits for the rate limit of its destination";
