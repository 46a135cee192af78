import { z } from "zod";
import { showHeaders } from "#lib/core/http/show-headers.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import type { RunStepRecord } from "#lib/db/runs/run-steps.ts";
import type { AttemptRecord, RunWithAttempts } from "#lib/db/runs/runs.ts";
import type { RunWait } from "#lib/schema/run.ts";
import { runStatuses } from "#lib/schema/run-states.ts";
import { view } from "#lib/web/rest/route/view.ts";

export const runSchema = z
  .object({
    id: z.string(),
    deliveryId: z.string().nullable(),
    eventId: z.string().nullable().describe("As its publisher and its receiver know it"),
    actionId: z.string().nullable(),
    actionVersion: z.int().nullable().describe("The version of the action at the last attempt"),
    subscriptionId: z.string().nullable(),
    status: z.enum(runStatuses),
    reason: z.string().nullable().describe("Why it has this status, after a code and a colon"),
    attemptCount: z.int(),
    nextAttemptAt: z.date().nullable(),
    createdAt: z.date(),
    finishedAt: z.date().nullable(),
  })
  .meta({ id: "Run" });

/** A run in a list. */
export function showRun(run: RunRecord) {
  const { id, deliveryId, eventId, actionId, subscriptionId, status, reason, attemptCount } = run;
  const { actionVersion, nextAttemptAt, createdAt, finishedAt } = run;
  const text = reason === null ? null : `${reason.code}: ${reason.detail}`;
  const ids = { id, deliveryId, eventId, actionId, actionVersion, subscriptionId };
  return { ...ids, status, reason: text, attemptCount, nextAttemptAt, createdAt, finishedAt };
}

/** A run in the API's responses, without its attempts. */
export const runView = view(runSchema, showRun);

export function showRunWithAttempts(run: RunWithAttempts) {
  const { waitsFor, attempts } = run;
  const wait = waitsFor === null ? null : { ...waitsFor, detail: describeWait(waitsFor) };
  return { ...showRun(run), waitsFor: wait, attempts: attempts.map(showAttempt) };
}

export function showRunStep(step: RunStepRecord) {
  const { key, item, state, attemptCount, nextAttemptAt, startedAt, durationMs, error } = step;
  const request = step.requestJson === null ? null : showMessage(step.requestJson);
  const response = step.responseJson === null ? null : showMessage(step.responseJson);
  const times = { nextAttemptAt, startedAt, durationMs };
  return { key, item, state, attemptCount, ...times, request, response, error };
}

function showAttempt({
  number,
  startedAt,
  durationMs,
  requestJson,
  responseJson,
  error,
  late,
  step,
  item,
}: AttemptRecord) {
  const request = requestJson === null ? null : showMessage(requestJson);
  const response = responseJson === null ? null : showMessage(responseJson);
  const place = step === null ? {} : { step, item };
  return { number, ...place, startedAt, durationMs, request, response, error, late };
}

/** Stored by the worker, with headers as pairs and secrets redacted. */
function showMessage(json: string) {
  const { headers, ...message } = JSON.parse(json) as { headers: [string, string][] };
  return { ...message, ...showHeaders(headers) };
}

/** One sentence, with times in UTC. */
function describeWait(wait: RunWait): string {
  if (wait.kind === "order")
    return `Waits for the run of ${toClock(wait.createdAt)} UTC with the same key`;
  if (wait.kind === "action") return `Held since ${toClock(wait.heldSince)} UTC: ${wait.reason}`;
  const { downSince, nextTryAt } = wait;
  return `Held: receiver down since ${toClock(downSince)}, next try ${toClock(nextTryAt)} UTC`;
}

/** "10:42", with the day if it isn't today. */
function toClock(at: Date): string {
  const text = at.toISOString();
  const isToday = text.slice(0, 10) === new Date().toISOString().slice(0, 10);
  return isToday ? text.slice(11, 16) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}
