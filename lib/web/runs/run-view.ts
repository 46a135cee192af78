import { z } from "zod";
import { showHeaders } from "#lib/core/api/http/show-headers.ts";
import { showStoredBody } from "#lib/core/api/http/show-response.ts";
import type { RunWait } from "#lib/schema/act/run.ts";
import { runStatuses } from "#lib/schema/act/run-states.ts";
import { stepStates } from "#lib/schema/act/step-limits.ts";
import type {
  AttemptRecord,
  RunRecord,
  RunStepRecord,
  RunWithAttempts,
  RunWithSteps,
} from "#lib/services/runs.ts";
import { pick, view } from "#lib/web/route/view.ts";

export const runSchema = z
  .object({
    id: z.string(),
    deliveryId: z.string().nullable(),
    eventId: z.string().nullable().describe("For a send: the id that its publisher gave the event"),
    actionId: z.string().nullable(),
    actionVersion: z.int().nullable().describe("At the last attempt; null: it hasn't ended"),
    subscriptionId: z.string().nullable().describe("For a send"),
    status: z.enum(runStatuses),
    reason: z.string().nullable().describe("A code and a sentence: `retry: HTTP 503`"),
    attemptCount: z.int(),
    nextAttemptAt: z.date().nullable().describe("Null: none is planned, or one is in flight"),
    createdAt: z.date(),
    finishedAt: z.date().nullable(),
  })
  .meta({ id: "Run" });

const message = z
  .looseObject({
    headers: z.record(z.string(), z.string()),
    rawHeaders: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  })
  .nullable();

const callFields = {
  startedAt: z.date(),
  durationMs: z.int(),
  request: message.describe(
    "`method`, `url`, headers, `body`, and `bodyTruncated`. " +
      "`bodyBinary`: not all of it is UTF-8, and binary parts are their sizes",
  ),
  response: message.describe(
    "`status`, headers, `body`, and `truncated`. `bodyBinary`: it isn't text, and `body` is its size",
  ),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
};

const attemptSchema = z
  .object({
    number: z.int(),
    step: z.string().optional().describe("The key of its step, if the action has steps"),
    item: z
      .int()
      .nullable()
      .optional()
      .describe("For a step that repeats for a list: the item's position, from 0"),
    ...callFields,
    late: z.boolean().describe("It ended after the run was canceled or taken over"),
  })
  .meta({ id: "Attempt" });

const detail = z.string().describe("One sentence");
const waitSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("receiver"),
      downSince: z.date(),
      nextTryAt: z.date(),
      detail,
    }),
    z.object({ kind: z.literal("action"), heldSince: z.date(), reason: z.string(), detail }),
    z.object({
      kind: z.literal("order"),
      runId: z.string(),
      deliveryId: z.string(),
      createdAt: z.date(),
      detail,
    }),
  ])
  .meta({ id: "RunWait", description: "What a due run waits for" });

const changedRunSchema = runSchema
  .extend({ waitsFor: waitSchema.nullable(), attempts: z.array(attemptSchema) })
  .meta({ id: "ChangedRun" });

const stepSchema = z
  .object({
    key: z.string(),
    item: z.int().nullable().describe("Null: the step as a whole"),
    state: z.enum(stepStates),
    attemptCount: z.int(),
    nextAttemptAt: z.date().nullable(),
    ...callFields,
    durationMs: z.int().nullable(),
  })
  .meta({ id: "RunStep" });

/** A run in a list. */
export const runView = view(runSchema, showRun);

/** New runs. */
export const queuedRunsView = view(
  z.object({ runs: z.array(runSchema) }).meta({ id: "QueuedRuns" }),
  (runs: readonly RunRecord[]) => ({ runs: runs.map(showRun) }),
);

/** A run with its attempts, after a change. */
export const changedRunView = view(changedRunSchema, showRunWithAttempts);

/** A run with its attempts and its steps. */
export const runDetailsView = view(
  changedRunSchema.extend({ steps: z.array(stepSchema) }).meta({ id: "WholeRun" }),
  ({ steps, ...run }: RunWithSteps) => ({
    ...showRunWithAttempts(run),
    steps: steps.map(showRunStep),
  }),
);

export function showRun(run: RunRecord) {
  const { reason } = run;
  const text = reason === null ? null : `${reason.code}: ${reason.detail}`;
  return pick(runSchema, { ...run, reason: text });
}

export function showRunWithAttempts(run: RunWithAttempts) {
  const { waitsFor, attempts } = run;
  const wait = waitsFor === null ? null : { ...waitsFor, detail: describeWait(waitsFor) };
  return { ...showRun(run), waitsFor: wait, attempts: attempts.map(showAttempt) };
}

export function showRunStep(step: RunStepRecord) {
  return pick(stepSchema, { ...step, ...showMessages(step) });
}

function showAttempt({ step, item, ...attempt }: AttemptRecord) {
  const place = step === null ? {} : { step, item };
  return pick(attemptSchema, { ...attempt, ...place, ...showMessages(attempt) });
}

type StoredMessages = Pick<AttemptRecord, "requestJson" | "responseJson">;

function showMessages({ requestJson, responseJson }: StoredMessages) {
  return {
    request: requestJson === null ? null : showMessage(requestJson),
    response: responseJson === null ? null : showResponse(responseJson),
  };
}

/** Stored by the worker, with headers as pairs and secrets redacted. */
function showMessage(json: string) {
  const { headers, ...message } = JSON.parse(json) as { headers: [string, string][] };
  return { ...message, ...showHeaders(headers) };
}

function showResponse(json: string) {
  const { headers, body, ...message } = JSON.parse(json) as {
    headers: [string, string][];
    body: string;
    bodyBinary?: boolean;
  };
  const { text, isBinary } = showStoredBody({ ...message, headers, body });
  const binary = isBinary ? { bodyBinary: true } : {};
  return { ...message, body: text, ...binary, ...showHeaders(headers) };
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
