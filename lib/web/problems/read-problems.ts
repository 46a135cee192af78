import { cache } from "react";
import { timeOfId } from "#lib/base/ids.ts";
import {
  describeResolution,
  messageOfProblem,
  titleOfProblem,
} from "#lib/core/watch/describe-problem.ts";
import { failuresSpan, failuresSpanMs } from "#lib/schema/act/run-limits.ts";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";
import { problemQuerySchema } from "#lib/schema/watch/problem.ts";
import { countFailures } from "#lib/services/failures.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listGapSources, readGapSource } from "#lib/services/gaps/gaps.ts";
import { listMembers } from "#lib/services/members.ts";
import {
  getProblem,
  listProblemAlerts,
  listProblems,
  type ProblemRecord,
  readProblemsSince,
} from "#lib/services/problems.ts";
import { nullIfNotFound } from "#lib/web/request/is-gone.ts";
import { pageLinks, readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";
import { readPage } from "#lib/web/request/read-list.ts";
import { readRunJobs } from "#lib/web/runs/read-run-list.ts";

const pageSize = "50";

/** A page of problems for a URL, newest first: those that aren't over, unless it asks for others. */
export async function readProblemList(context: ServiceContext, params: SearchParams) {
  const nowMs = context.now().getTime();
  const query = readListQuery(params, { names: ["state"], schema: problemQuerySchema, nowMs });
  const state = query.filter.state ?? "unresolved";
  const { cursor } = query;
  const [page, jobs] = await Promise.all([
    readPage(query.problems, () =>
      listProblems(context, { limit: pageSize, state, ...(cursor !== undefined && { cursor }) }),
    ),
    readRunJobs(context),
  ]);
  return {
    nowMs,
    state,
    /** They wait until a person resumes or stops them. */
    pausedJobs: jobs.filter(({ status }) => status === "paused"),
    ...(await withFailedRuns(context, page.items)),
    links: pageLinks("/problems", query, page.nextCursor),
  };
}

/** Problems as rows, with their failed runs, and the number of failed runs of the account. */
async function withFailedRuns(context: ServiceContext, problems: readonly ProblemRecord[]) {
  const [counted, since] = await Promise.all([
    countRecentFailures(context, problems.flatMap(targetOf)),
    readProblemsSince(context, {}),
  ]);
  const rows = problems.map((problem, at) => {
    // Its number is that of all causes, so it stands once: at the newest problem.
    const [target] = targetOf(problem);
    const isFirst = problems.findIndex((other) => targetOf(other)[0] === target) === at;
    const runs = target === undefined ? undefined : counted.byTarget.get(target);
    const isNew = since !== null && timeOfId(problem.id) > since.getTime();
    return { ...toRow(problem), runs: isFirst ? (runs ?? null) : null, isNew };
  });
  return { problems: rows, failed: counted.failed };
}

/** The failed runs of the last days, and those of these actions and subscriptions. */
export function countRecentFailures(context: ServiceContext, targetIds: readonly string[]) {
  const from = new Date(context.now().getTime() - failuresSpanMs).toISOString();
  return countFailures(context, { from, targetIds: [...targetIds] });
}

/** The action or subscription whose runs fail. */
function targetOf({ kind, actionId, subscriptionId }: ProblemRecord): readonly string[] {
  const isAboutRuns = kind === "action_failing" || kind === "subscription_failing";
  const target = actionId ?? subscriptionId;
  return isAboutRuns && target !== null ? [target] : [];
}

type Of =
  | { readonly hookId: string }
  | { readonly hookId: string; readonly actionId: string }
  | { readonly subscriptionId: string };

/** The open problems of a hook, an action, or a subscription, newest first. */
export async function readOpenProblems(context: ServiceContext, of: Of) {
  const { items } = await listProblems(context, {
    limit: pageSize,
    state: "unresolved",
    ...("hookId" in of ? { hookId: of.hookId } : of),
  });
  return items
    .filter((problem) => !("actionId" in of) || isAbout(problem, of.actionId))
    .map(toRow)
    .map(({ id, title, state, firstAt }) => ({ id, title, state, firstAt }));
}

/** It is the action's own, or breaks a mapping of it. */
function isAbout({ actionId, details }: ProblemRecord, id: string): boolean {
  if (actionId !== null) return actionId === id;
  return details.kind === "shape" && details.actions.some((action) => action.id === id);
}

/** The most people whom a problem can be assigned to by its page. */
const maxMembers = "200";

/** A problem with the messages about it, read once for its page and title. Throws `not_found`. */
export const readProblemPage = cache(async (context: ServiceContext, id: string) => {
  const problem = await getProblem(context, { id });
  const [target] = targetOf(problem);
  const [missed, alerts, { byTarget }, jobs, members] = await Promise.all([
    findBackfills(context, problem),
    listProblemAlerts(context, { id }),
    countRecentFailures(context, targetOf(problem)),
    target === undefined ? [] : readRunJobs(context),
    listMembers(context, { limit: maxMembers }),
  ]);
  const { resolution, resolvedBy } = problem;
  return {
    missed,
    runs: byTarget.get(target ?? "") ?? null,
    runFilter: toRunFilter(problem),
    members: members.items.map(({ id: userId, name }) => ({ id: userId, name })),
    jobs,
    ...toHeading(problem),
    problem,
    alerts,
    ending: resolution === null ? null : describeResolution(resolution, resolvedBy),
    runsHref: toRunsHref(problem),
    nowMs: context.now().getTime(),
  };
});

const hourMs = 3_600_000;

/** A search for what a hook missed, with its time filled in. */
type Backfill = { readonly name: string; readonly hookName: string | null; readonly href: string };

/** Those of the hook, or after an outage of ours of all hooks whose providers list events. */
async function findBackfills(context: ServiceContext, problem: ProblemRecord) {
  const { kind, hookId, firstAt, lastAt } = problem;
  if (kind === "database") {
    const sources = await listGapSources(context, {});
    const span = toSpan(firstAt.getTime() - hourMs, lastAt.getTime() + hourMs);
    return sources.map(({ hook, list }): Backfill => {
      const href = `/hooks/${hook.id}/backfill?${span}`;
      return { name: list.name, hookName: hook.name, href };
    });
  }
  if ((kind !== "silence" && kind !== "rejected") || hookId === null) return [];
  const source = await readGapSource(context, { id: hookId }).catch(nullIfNotFound);
  if (source === null || source.whyNot !== null) return [];
  return [toBackfill(problem, hookId, source.list.name)];
}

function toBackfill(problem: ProblemRecord, hookId: string, name: string): Backfill {
  const { details, firstAt, resolvedAt } = problem;
  const lastMs = details.kind === "silence" ? Date.parse(details.lastDeliveryAt ?? "") : Number.NaN;
  const sinceMs = Number.isNaN(lastMs) ? firstAt.getTime() : lastMs;
  // Clocks differ, and the first events of the time may have been lost before it was noticed.
  const untilMs = resolvedAt === null ? null : resolvedAt.getTime() + hourMs;
  const href = `/hooks/${hookId}/backfill?${toSpan(sinceMs - hourMs, untilMs)}`;
  return { name, hookName: null, href };
}

/** @param toMs null: until now */
function toSpan(fromMs: number, toMs: number | null): URLSearchParams {
  const toMinute = (ms: number) => new Date(ms).toISOString().slice(0, 16);
  const to = toMs === null ? {} : { to: toMinute(toMs) };
  return new URLSearchParams({ from: toMinute(fromMs), ...to });
}

/** A page lists the fields of a shape below. */
function toHeading(problem: ProblemRecord): { heading: string; lead: string | null } {
  const { details, hookName } = problem;
  if (details.kind !== "shape")
    return { heading: titleOfProblem(problem, nameReceiver), lead: messageOfProblem(details) };
  const count = details.changes.length;
  return {
    heading: `${details.eventType ?? hookName ?? "A deleted hook"} changed its shape`,
    lead: `${count} ${count === 1 ? "field differs" : "fields differ"} from the deliveries before.`,
  };
}

/** The list of what belongs to a problem. Null: there is none. */
function toRunsHref(problem: ProblemRecord): string | null {
  const filter = toRunFilter(problem);
  if (filter !== null) return `/runs?${new URLSearchParams(filter)}`;
  const { kind, hookId } = problem;
  if (kind !== "rejected" || hookId === null) return null;
  return `/deliveries?${new URLSearchParams({ status: "rejected", hookId })}`;
}

/** The filter of the failed runs of a problem. Null: it isn't about runs. */
function toRunFilter({ kind, actionId, subscriptionId }: ProblemRecord) {
  const filter = { status: "failed", since: failuresSpan } as const;
  if (kind === "action_failing" && actionId !== null) return { ...filter, actionId };
  if (kind === "subscription_failing" && subscriptionId !== null)
    return { ...filter, subscriptionId };
  return null;
}

function toRow(problem: ProblemRecord) {
  const { id, kind, state, count, firstAt, lastAt, assignee, details } = problem;
  const title = titleOfProblem(problem, nameReceiver);
  return {
    id,
    kind,
    state,
    count,
    firstAt,
    lastAt,
    assignee,
    title,
    message: messageOfProblem(details),
  };
}
