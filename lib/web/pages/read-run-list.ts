import { listActionNames } from "#lib/db/actions/action-names.ts";
import { listBulkJobs } from "#lib/db/runs/bulk-jobs.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { AppError } from "#lib/errors.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { type RunQuery, readRunQuery } from "#lib/web/views/run-filters.ts";
import { bulkKindOf } from "./read-bulk-filter.ts";

const pageSize = 50;
const shownJobs = 3;
const recentMs = 3_600_000;

/** A page of runs for a URL, and the bulk jobs on runs. */
export async function readRunList(accountId: string, params: SearchParams) {
  const { db } = serverContext();
  const nowMs = Date.now();
  const query = readRunQuery(params, nowMs);
  const [page, actions, jobs] = await Promise.all([
    readPage(accountId, query),
    listActionNames(db, accountId),
    listBulkJobs(db, accountId, { limit: shownJobs }, ["retry", "cancel"]),
  ]);
  const { values, problems } = query;
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
    actions,
    bulk: Object.keys(problems).length > 0 ? null : bulkKindOf(values.status),
    jobs: jobs.items
      .filter(({ finishedAt }) => finishedAt === null || nowMs - finishedAt.getTime() < recentMs)
      .flatMap((job) => (job.kind === "accept" ? [] : [job]))
      .map(({ filter, ...job }) => ({
        ...job,
        runStatus: filter.status,
        actionName: actions.find(({ id }) => id === filter.actionId)?.name ?? null,
      })),
  };
}

async function readPage(accountId: string, query: RunQuery) {
  const nothing = { items: [], nextCursor: null };
  if (Object.keys(query.problems).length > 0) return { ...nothing, problem: null };
  try {
    const page = { limit: pageSize, cursor: query.cursor };
    return {
      ...(await listRuns(serverContext().db, accountId, query.filter, page)),
      problem: null,
    };
  } catch (error) {
    // An invalid cursor in the URL.
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    return { ...nothing, problem: error.message };
  }
}
