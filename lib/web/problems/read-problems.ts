import { cache } from "react";
import {
  describeResolution,
  messageOfProblem,
  titleOfProblem,
} from "#lib/core/watch/describe-problem.ts";
import { problemQuerySchema } from "#lib/schema/watch/problem.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import {
  getProblem,
  listProblemAlerts,
  listProblems,
  type ProblemRecord,
} from "#lib/services/problems.ts";
import { pageLinks, readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";
import { readPage } from "#lib/web/request/read-list.ts";

const pageSize = "50";

/** A page of problems for a URL, newest first: those that aren't over, unless it asks for others. */
export async function readProblemList(context: ServiceContext, params: SearchParams) {
  const nowMs = context.now().getTime();
  const query = readListQuery(params, { names: ["state"], schema: problemQuerySchema, nowMs });
  const state = query.filter.state ?? "unresolved";
  const { cursor } = query;
  const page = await readPage(query.problems, () =>
    listProblems(context, { limit: pageSize, state, ...(cursor !== undefined && { cursor }) }),
  );
  return {
    nowMs,
    state,
    problems: page.items.map(toRow),
    links: pageLinks("/problems", query, page.nextCursor),
  };
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

/** A problem with the messages about it, read once for its page and title. Throws `not_found`. */
export const readProblemPage = cache(async (context: ServiceContext, id: string) => {
  const problem = await getProblem(context, { id });
  const alerts = await listProblemAlerts(context, { id });
  const { resolution, resolvedBy } = problem;
  return {
    ...toHeading(problem),
    problem,
    alerts,
    ending: resolution === null ? null : describeResolution(resolution, resolvedBy),
    runsHref: toRunsHref(problem),
    nowMs: context.now().getTime(),
  };
});

/** A page lists the fields of a shape below. */
function toHeading(problem: ProblemRecord): { heading: string; lead: string | null } {
  const { details, hookName } = problem;
  if (details.kind !== "shape")
    return { heading: titleOfProblem(problem), lead: messageOfProblem(details) };
  const count = details.changes.length;
  return {
    heading: `${details.eventType ?? hookName ?? "A deleted hook"} changed its shape`,
    lead: `${count} ${count === 1 ? "field differs" : "fields differ"} from the deliveries before.`,
  };
}

/** The list of what belongs to a problem. Null: there is none. */
function toRunsHref({ kind, hookId, actionId, subscriptionId }: ProblemRecord): string | null {
  const list = (path: string, params: Readonly<Record<string, string>>) =>
    `${path}?${new URLSearchParams(params)}`;
  if (kind === "action_failing" && actionId !== null)
    return list("/runs", { status: "failed", actionId });
  if (kind === "subscription_failing" && subscriptionId !== null)
    return list("/runs", { status: "failed", subscriptionId });
  if (kind === "rejected" && hookId !== null)
    return list("/deliveries", { status: "rejected", hookId });
  return null;
}

function toRow(problem: ProblemRecord) {
  const { id, state, count, firstAt, lastAt } = problem;
  const message = messageOfProblem(problem.details);
  return { id, state, count, firstAt, lastAt, title: titleOfProblem(problem), message };
}
