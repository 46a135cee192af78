import { readHealth } from "#lib/core/retry/receiver-health.ts";
import { toCallResult } from "#lib/core/steps/step-result.ts";
import { recordHealth } from "#lib/db/queue/control/record-health.ts";
import { reserveCall } from "#lib/db/queue/control/reserve-call.ts";
import { repeatsUnknown, type StepOf } from "#lib/schema/action/steps.ts";
import { makeCall } from "../action/make-call.ts";
import { decideNext, toAttempt } from "../outcome/run-outcome.ts";
import { toStoredText } from "../outcome/stored-attempt.ts";
import { ask, done, fail, lost, type StepFlow, type StepWork, skip } from "./step-flow.ts";
import { prepareStepCall, type StepInput } from "./step-plan.ts";

/** The call is in the ledger before it is sent, and its outcome before anything else is done. */
export async function doCall(
  work: StepWork,
  step: StepOf<"call">,
  at: number,
  input: StepInput,
): Promise<StepFlow> {
  const { run, config, ledger, ground } = work;
  const { auth: _apart, ...request } = step.request;
  const auth = config.auths.get(step.key) ?? null;
  const prepared = await prepareStepCall(ground, input, { request, auth });
  if (prepared.kind === "skip") return skip(work, step, at, prepared.message);
  if (prepared.kind === "fail") return fail(work, step, at, prepared.error);
  const place = await takePlace(work, step, at);
  if (typeof place === "object") return place;
  if (!(await ledger.set(step.key, at, { state: "calling", isNewAttempt: true }))) return lost;
  const call = {
    request: prepared.value,
    credential: config.credentials.get(step.key) ?? null,
    timeoutMs: step.timeoutMs ?? ground.target.options.timeoutMs,
    secretValues: config.secretValues,
  };
  const { made, secretValues } = await makeCall(call, work);
  const { result } = made;
  work.onCalled(result);
  if (place === "counts") {
    const outcome = { health: readHealth(result), durationMs: result.durationMs };
    const targetId = step.request.destinationId ?? "";
    await recordHealth(work.db, [{ targetId, runId: run.id, ...outcome }]);
  }
  const number = ledger.find(step.key, at)?.attemptCount ?? 1;
  const attempt = toAttempt(number, made, secretValues);
  const attemptNumber = Math.min(number, ledger.attemptCount - run.attemptsBefore);
  const next = decideNext(run, attemptNumber, result, {
    retry: step.retry ?? config.retry,
    success: step.success ?? config.success,
    secretValues,
    random: work.random(),
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
    return { kind: "pause", code, detail: `Step ${step.key}: ${detail}`, delayMs: next.delayMs };
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

/**
 * Of a call to a destination: waits in the database until its limits allow it. `counts`: now, and the
 * outcome counts for its breaker.
 */
async function takePlace(
  { db, run, ledger }: StepWork,
  { key, request }: StepOf<"call">,
  at: number,
): Promise<StepFlow | "now" | "counts"> {
  const { destinationId } = request;
  if (!destinationId) return "now";
  // Its place came: it was reserved before the run went back to the queue.
  const isReserved = ledger.find(key, at)?.state === "waiting";
  const { accountId, id: runId } = run;
  if (isReserved) return "counts";
  const { waitMs, isDown, hasBreaker } = await reserveCall(db, { accountId, destinationId, runId });
  if (waitMs <= 0) return hasBreaker ? "counts" : "now";
  const delayMs = Math.ceil(waitMs);
  if (isDown)
    return { kind: "pause", code: "receiver_down", detail: `Step ${key}: ${down}`, delayMs };
  if (!(await ledger.set(key, at, { state: "waiting", delayMs }))) return lost;
  return { kind: "pause", code: "rate_limited", detail: `Step ${key}: ${limited}`, delayMs };
}

const down = "held because its destination is down";
const limited = "it waits for the rate limit of its destination";
