import { readActionNames } from "#lib/db/actions/action-names.ts";
import { readHookNames } from "#lib/db/hooks/hook-names.ts";
import { listBulkJobs } from "#lib/db/runs/bulk-jobs.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/ids.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { type RunQuery, readRunQuery } from "#lib/web/views/run-filters.ts";
import { bulkKindOf } from "./read-bulk-filter.ts";

const pageSize = 50;
const shownJobs = 3;
const recentMs = 3_600_000;

/** A page of runs for a URL, and the bulk jobs on runs. */
export async function readRunList(context: ServerContext, accountId: string, params: SearchParams) {
  const { db } = context;
  const nowMs = Date.now();
  const query = readRunQuery(params, nowMs);
  const { values, problems } = query;
  const [page, hooks, jobs] = await Promise.all([
    readPage(context, accountId, query),
    readHookNames(db, accountId, [values.hookId].filter(isId)),
    listBulkJobs(db, accountId, { limit: shownJobs }, ["retry", "cancel"]),
  ]);
  const ofJobs = jobs.items.flatMap((job) => (job.kind === "accept" ? [] : [job.filter.actionId]));
  const actionIds = [values.actionId, ...ofJobs].flatMap((id) =>
    id !== undefined && isId(id) ? [id] : [],
  );
  const actions = await readActionNames(db, accountId, actionIds);
  const nameOf = (actionId: string | undefined) =>
    actions.find(({ id }) => id === actionId)?.name ?? null;
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    runs: await readRunRows(
      db,
      accountId,
      page.items.map(({ id }) => id),
    ),
    links: pageLinks("/runs", query, page.nextCursor),
    hookName: hooks.get(values.hookId) ?? null,
    actionName: nameOf(values.actionId),
    bulk: Object.keys(problems).length > 0 ? null : bulkKindOf(values.status),
    jobs: jobs.items
      .filter(({ finishedAt }) => finishedAt === null || nowMs - finishedAt.getTime() < recentMs)
      .flatMap((job) => (job.kind === "accept" ? [] : [job]))
      .map(({ filter, ...job }) => ({
        ...job,
        runStatus: filter.status,
        actionName: nameOf(filter.actionId),
      })),
  };
}

async function readPage({ db }: ServerContext, accountId: string, query: RunQuery) {
  const nothing = { items: [], nextCursor: null };
  if (Object.keys(query.problems).length > 0) return { ...nothing, problem: null };
  try {
    const page = { limit: pageSize, cursor: query.cursor };
    return {
      ...(await listRuns(db, accountId, query.filter, page)),
      problem: null,
    };
  } catch (error) {
    // An invalid cursor in the URL.
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    return { ...nothing, problem: error.message };
  }
}
