import { mapFew } from "#lib/base/map-few.ts";
import { toCurlCommand } from "#lib/core/api/http/curl-command.ts";
import type { CutText, TextBudget } from "#lib/core/mapping/payload-tree/text-budget.ts";
import type { StepState } from "#lib/schema/act/step-limits.ts";
import { type ActionStep, type AnyStep, stepsSchema } from "#lib/schema/act/steps.ts";
import { type ActionRecord, getVersion } from "#lib/services/actions/read-actions.ts";
import type { ActionWhy } from "#lib/services/deliveries/explain-delivery.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import {
  getRun,
  listRuns,
  type RunRecord,
  type RunStepRecord,
  type RunWithAttempts,
} from "#lib/services/runs.ts";
import { nullIfNotFound } from "#lib/web/request/is-gone.ts";
import { showRunStep, showRunWithAttempts } from "./run-view.ts";

/** The maximum of a page of the API's list. */
const maxListed = "200";
/** The latest attempts are shown completely, earlier ones only with their result. */
const maxRuns = 20;
const maxAttempts = 5;
const maxBodyChars = 4_000;
const maxHeaderChars = 1_000;
const maxHeaders = 60;

/** The runs of a delivery, newest first, with requests and responses. */
export async function readRunsOfDelivery(
  context: ServiceContext,
  delivery: {
    readonly id: string;
    readonly receivedAt: Date;
    readonly actions: readonly ActionOfRun[];
    /** The reasons why each action did or didn't run. */
    readonly whys: readonly ActionWhy[];
  },
  budget: TextBudget,
) {
  const { items: all } = await listRuns(context, { deliveryId: delivery.id, limit: maxListed });
  const firstOfActions = listFirstRuns(all);
  const actions = new Map(delivery.actions.map((action) => [action.id, action]));
  const shown = await mapFew(all.slice(0, maxRuns), async (listed) => {
    const run = await getRun(context, { id: listed.id });
    const action = actions.get(run.actionId ?? "");
    if (action === undefined || action.steps === null) return { run, steps: [], stepMap: null };
    const { steps, actionVersion: version } = run;
    return { run, steps, stepMap: await readRunMap(context, { action, version }, steps) };
  });
  return {
    idleActions: delivery.actions
      .filter(({ id }) => !firstOfActions.has(id))
      .map(({ id, name }) => ({
        id,
        name,
        why: delivery.whys.find(({ actionId }) => actionId === id)?.sentence ?? "It didn't run.",
      })),
    runs: shown.map(({ run, steps, stepMap }) => ({
      ...viewRun(run, actions.get(run.actionId ?? ""), budget),
      stepMap,
      ...viewSteps(steps, budget),
      isReplay: isReplay(run, delivery.receivedAt, firstOfActions),
      why: whyOf(run, delivery.whys),
    })),
    olderRuns: Math.max(0, all.length - maxRuns),
    isMoving: all.some((run) => isAboutToChange(run, context.now().getTime())),
  };
}

/** The codes that add something to the run's own reason and attempts. */
const telling: ReadonlySet<string> = new Set([
  ...["succeeded_late", "queued", "due", "rate_limited", "concurrency", "breaker_open"],
  ...["no_worker", "hook_paused", "hook_disabled", "hook_pending", "action_disabled"],
]);

function whyOf({ id }: RunRecord, whys: readonly ActionWhy[]): string | null {
  const why = whys.find(({ runId }) => runId === id);
  return why !== undefined && telling.has(why.code) ? why.sentence : null;
}

/** The longest wait that counts as soon. */
const soonMs = 60_000;

/** True if the run changes within a minute or so. */
export function isAboutToChange(
  { status, nextAttemptAt }: Pick<RunRecord, "status" | "nextAttemptAt">,
  nowMs: number,
): boolean {
  if (status === "queued" || status === "running") return true;
  return (
    status === "retrying" && nextAttemptAt !== null && nextAttemptAt.getTime() - nowMs < soonMs
  );
}

/** The oldest run of each action; `runs` are newest first. */
function listFirstRuns(runs: readonly RunRecord[]): ReadonlyMap<string | null, string> {
  return new Map(runs.map(({ actionId, id }) => [actionId, id]));
}

/** A delivery is stored with its first runs within seconds, or not at all. */
const storedWithinMs = 30_000;

/**
 * An action runs automatically only when the delivery arrives, so never if it was created later.
 */
function isReplay(
  { id, actionId, createdAt }: RunRecord,
  receivedAt: Date,
  firstOfActions: ReadonlyMap<string | null, string>,
): boolean {
  if (firstOfActions.get(actionId) !== id) return true;
  return createdAt.getTime() - receivedAt.getTime() > storedWithinMs;
}

type ActionOfRun = Pick<
  ActionRecord,
  "id" | "name" | "enabled" | "createdAt" | "steps" | "version"
>;

/** Null: the action was deleted. */
function viewRun(run: RunWithAttempts, action: ActionOfRun | undefined, budget: TextBudget) {
  const { id, actionId, status, reason, attemptCount, nextAttemptAt, createdAt, finishedAt } = run;
  const hasVersions = action !== undefined && action.version > 1;
  return {
    id,
    actionId,
    actionVersion: hasVersions ? run.actionVersion : null,
    actionName: action?.name ?? null,
    isActionOn: action?.enabled ?? false,
    status,
    reason,
    attemptCount,
    nextAttemptAt,
    waitsFor: run.waitsFor,
    createdAt,
    finishedAt,
    ...viewAttempts(run, budget),
  };
}

const maxSteps = 40;

/**
 * The steps in the order in which they began. If there are many, items that succeeded are left out
 * first.
 */
function viewSteps(all: readonly RunStepRecord[], budget: TextBudget) {
  const isQuiet = ({ item, state }: RunStepRecord) =>
    item !== null && (state === "succeeded" || state === "skipped");
  const chosen = all.length <= maxSteps ? all : all.filter((step) => !isQuiet(step));
  const steps = chosen.slice(0, maxSteps).map((step) => {
    const { request, response, ...shown } = showRunStep(step);
    return {
      ...shown,
      request: request === null ? null : viewMessage(request, budget),
      response: response === null ? null : viewMessage(response, budget),
    };
  });
  return { steps, hiddenSteps: all.length - steps.length };
}

/** The latest attempts of a run, newest first. */
export function viewAttempts(run: RunWithAttempts, budget: TextBudget) {
  const { attempts } = showRunWithAttempts(run);
  return {
    attempts: attempts
      .slice(-maxAttempts)
      .toReversed()
      .map(({ request, response, ...attempt }) => ({
        ...attempt,
        request: request === null ? null : viewMessage(request, budget),
        response: response === null ? null : viewMessage(response, budget),
      })),
    olderAttempts: Math.max(0, attempts.length - maxAttempts),
  };
}

/** Stored by the worker: `{method, url, …}` of a request, `{status, …}` of a response. */
export function viewMessage(message: Readonly<Record<string, unknown>>, budget: TextBudget) {
  const { method, url, status, body, rawHeaders, bodyTruncated, truncated, bodyBinary } = message;
  const isCut = bodyTruncated === true || (truncated === true && bodyBinary !== true);
  const headers = (Array.isArray(rawHeaders) ? rawHeaders : []) as [string, string][];
  return {
    start: typeof status === "number" ? `HTTP ${status}` : `${String(method)} ${String(url)}`,
    status: typeof status === "number" ? status : null,
    headers: headers
      .slice(0, maxHeaders)
      .map(
        ([name, value]) =>
          [budget.take(name, 200).text, budget.take(value, maxHeaderChars).text] as const,
      ),
    curl: typeof status === "number" ? null : attemptCurl(message, headers),
    body: typeof body === "string" && body !== "" ? cut(body, budget, isCut) : null,
  };
}

/**
 * The request as a command, with credentials hidden as in what is stored. Null if it wasn't stored
 * completely.
 */
function attemptCurl(
  { method, url, body, bodyTruncated, bodyBinary }: Readonly<Record<string, unknown>>,
  headers: readonly [string, string][],
): string | null {
  if (typeof method !== "string" || typeof url !== "string") return null;
  if (bodyTruncated === true || bodyBinary === true) return null;
  return toCurlCommand({ method, url, headers, body: typeof body === "string" ? body : "" });
}

function cut(body: string, budget: TextBudget, isStoredCut: boolean): CutText {
  const { text, isCut } = budget.take(body, maxBodyChars);
  return { text, isCut: isCut || isStoredCut };
}

/** A step of an action, and what became of it in a run. Null: the run didn't reach it. */
type MappedStep = {
  readonly key: string;
  readonly kind: AnyStep["kind"];
  readonly list: string | null;
  readonly isConditional: boolean;
  readonly onFailure: "stop" | "continue" | "steps";
  readonly branch: readonly MappedStep[];
  readonly state: StepState | null;
};

type Owner = { readonly id: string; readonly version: number; readonly steps: Steps | null };
type Steps = readonly ActionStep[];

/**
 * The steps of a run as its action had them, with their states. Null: its version is no longer
 * stored.
 */
export async function readRunMap(
  context: ServiceContext,
  run: { readonly action: Owner; readonly version: number | null },
  records: readonly RunStepRecord[],
): Promise<readonly MappedStep[] | null> {
  const steps = await readSteps(context, run);
  const states = new Map(
    records.flatMap(({ key, item, state }) => (item === null ? [[key, state] as const] : [])),
  );
  return steps?.map((step) => toMapped(step, states)) ?? null;
}

async function readSteps(
  context: ServiceContext,
  { action, version }: { readonly action: Owner; readonly version: number | null },
): Promise<Steps | null> {
  if (version === null || version === action.version) return action.steps;
  const found = await getVersion(context, { id: action.id, number: String(version) }).catch(
    nullIfNotFound,
  );
  if (found === null) return null;
  const steps = stepsSchema.safeParse(found.content.steps);
  return steps.success ? steps.data : null;
}

function toMapped(step: AnyStep, states: ReadonlyMap<string, StepState>): MappedStep {
  const { key, kind, when, forEach, onFailure } = step;
  const isHandled = typeof onFailure === "object";
  return {
    key,
    kind,
    list: forEach?.path ?? null,
    isConditional: when !== null,
    onFailure: isHandled ? "steps" : onFailure,
    branch: isHandled ? onFailure.steps.map((inner) => toMapped(inner, states)) : [],
    state: states.get(key) ?? null,
  };
}
