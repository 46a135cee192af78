import type { ActionRecord } from "#lib/db/action-record.ts";
import { listRunsOfDelivery } from "#lib/db/list-runs.ts";
import type { RunRecord } from "#lib/db/run-record.ts";
import { getRun, type RunWithAttempts } from "#lib/db/runs.ts";
import { showRunWithAttempts } from "./api/show-run.ts";
import type { ServerContext } from "./server-context.ts";
import type { CutText, TextBudget } from "./text-budget.ts";

/** The newest come whole; of those before them only how they stand is told. */
const mostRuns = 20;
const mostAttempts = 5;
const mostBodyChars = 4_000;
const mostHeaderChars = 1_000;
const mostHeaders = 60;

/** The runs of a delivery, newest first, with what was sent and answered. */
export async function readRunsOfDelivery(
  { db }: ServerContext,
  accountId: string,
  delivery: {
    readonly id: string;
    readonly receivedAt: Date;
    readonly actions: readonly ActionOfRun[];
  },
  budget: TextBudget,
) {
  const all = (await listRunsOfDelivery(db, accountId, delivery.id)).toReversed();
  const firstOfActions = listFirstRuns(all);
  const actions = new Map(delivery.actions.map((action) => [action.id, action]));
  const shown = await Promise.all(all.slice(0, mostRuns).map((run) => getRun(db, accountId, run.id)));
  return {
    idleActions: delivery.actions
      .filter(({ id }) => !firstOfActions.has(id))
      .map(({ id, name, enabled, createdAt }) => ({
        id,
        name,
        isOn: enabled,
        isYounger: createdAt.getTime() > delivery.receivedAt.getTime(),
      })),
    runs: shown.map((run) => ({
      ...viewRun(run, actions.get(run.actionId ?? ""), budget),
      isReplay: isReplay(run, delivery.receivedAt, firstOfActions),
    })),
    olderRuns: Math.max(0, all.length - mostRuns),
    isMoving: all.some((run) => isAboutToChange(run, Date.now())),
  };
}

/** Soon enough for somebody who waits for it. */
const soonMs = 60_000;

function isAboutToChange({ status, nextAttemptAt }: RunRecord, nowMs: number): boolean {
  if (status === "queued" || status === "running") return true;
  return status === "retrying" && nextAttemptAt !== null && nextAttemptAt.getTime() - nowMs < soonMs;
}

/** The oldest run of each action; `runs` are newest first. */
function listFirstRuns(runs: readonly RunRecord[]): ReadonlyMap<string | null, string> {
  return new Map(runs.map(({ actionId, id }) => [actionId, id]));
}

/** A delivery is stored, with its first runs, within seconds or not at all. */
const storedWithinMs = 30_000;

/** An action runs by itself once, when the delivery arrives; an action that is younger than the delivery never did. */
function isReplay(
  { id, actionId, createdAt }: RunRecord,
  receivedAt: Date,
  firstOfActions: ReadonlyMap<string | null, string>,
): boolean {
  if (firstOfActions.get(actionId) !== id) return true;
  return createdAt.getTime() - receivedAt.getTime() > storedWithinMs;
}

type ActionOfRun = Pick<ActionRecord, "id" | "name" | "enabled" | "createdAt">;

/** Without an action: it was deleted. */
function viewRun(run: RunWithAttempts, action: ActionOfRun | undefined, budget: TextBudget) {
  const { id, actionId, status, reason, attemptCount, nextAttemptAt, createdAt, finishedAt } = run;
  const { attempts } = showRunWithAttempts(run);
  return {
    id,
    actionId,
    actionName: action?.name ?? null,
    isActionOn: action?.enabled ?? false,
    status,
    reason,
    attemptCount,
    nextAttemptAt,
    createdAt,
    finishedAt,
    attempts: attempts
      .slice(-mostAttempts)
      .toReversed()
      .map(({ request, response, ...attempt }) => ({
        ...attempt,
        request: request === null ? null : viewMessage(request, budget),
        response: response === null ? null : viewMessage(response, budget),
      })),
    olderAttempts: Math.max(0, attempts.length - mostAttempts),
  };
}

/** Stored by the worker: `{method, url, …}` of a request, `{status, …}` of an answer. */
function viewMessage(message: Readonly<Record<string, unknown>>, budget: TextBudget) {
  const { method, url, status, body, rawHeaders, bodyTruncated, truncated } = message;
  const headers = (Array.isArray(rawHeaders) ? rawHeaders : []) as [string, string][];
  return {
    start: typeof status === "number" ? `HTTP ${status}` : `${String(method)} ${String(url)}`,
    status: typeof status === "number" ? status : null,
    headers: headers
      .slice(0, mostHeaders)
      .map(
        ([name, value]) => [budget.take(name, 200).text, budget.take(value, mostHeaderChars).text] as const,
      ),
    body: typeof body === "string" && body !== "" ? cut(body, budget, [bodyTruncated, truncated]) : null,
  };
}

function cut(body: string, budget: TextBudget, flags: readonly unknown[]): CutText {
  const { text, isCut } = budget.take(body, mostBodyChars);
  return { text, isCut: isCut || flags.includes(true) };
}
