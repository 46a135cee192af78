import type { PageRequest } from "#lib/core/api/page.ts";
import { readActionNames } from "#lib/db/actions/action-names.ts";
import { readHookNames } from "#lib/db/hooks/hook-names.ts";
import { countByReason } from "#lib/db/runs/count-by-reason.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/ids.ts";
import type { JobState } from "#lib/schema/bulk-job.ts";
import type { BulkKind } from "#lib/schema/run-states.ts";
import {
  type BulkJobRecord,
  isOverRuns,
  listCurrentJobs,
} from "#lib/services/bulk-jobs/read-bulk-jobs.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { toJobState } from "#lib/web/bulk-jobs/job-state.ts";
import { describeSearch } from "#lib/web/request/describe-search.ts";
import { fillPage, type Resume } from "#lib/web/request/fill-page.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import { type RunQuery, readRunQuery } from "#lib/web/runs/run-filters.ts";
import { bulkKindOf } from "./read-bulk-change.ts";

const pageSize = 50;
const shownJobs = 3;

/**
 * A page of runs for a URL, and the bulk jobs on runs.
 *
 * @param resume only what the page finds after this
 */
export async function readRunList(
  context: ServiceContext,
  accountId: string,
  params: SearchParams,
  resume?: Resume,
) {
  const { db } = context;
  const nowMs = Date.now();
  const query = readRunQuery(params, nowMs);
  const { values, problems } = query;
  const isGrouped = params.group === "reason" && Object.keys(problems).length === 0;
  const [page, groups, hooks, actions, jobs] = await Promise.all([
    readPage(context, accountId, query, resume),
    isGrouped ? countByReason(db, accountId, query.filter) : null,
    readHookNames(db, accountId, [values.hookId].filter(isId)),
    readActionNames(db, accountId, [values.actionId].filter(isId)),
    readRunJobs(context),
  ]);
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
    groups,
    search: describeSearch(page, { list: "runs", hookId: null, query }),
    hookName: hooks.get(values.hookId) ?? null,
    actionName: actions[0]?.name ?? null,
    bulk: Object.keys(problems).length > 0 ? null : bulkKindOf(values.status),
    jobs,
  };
}

/** The latest bulk jobs on runs: those in progress, and those that ended a while ago. */
export async function readRunJobs(context: ServiceContext) {
  const kinds = ["retry" as const, "cancel" as const, "replay" as const];
  const jobs = await listCurrentJobs(context, { kinds, limit: shownJobs });
  const actionIds = jobs.flatMap((job) =>
    toActionIds(job).flatMap((id) => (id !== undefined && isId(id) ? [id] : [])),
  );
  const actions = await readActionNames(context.db, context.actor.accountId, actionIds);
  return jobs.flatMap((job) => {
    const [actionId] = toActionIds(job);
    return toJobView(job, actions.find(({ id }) => id === actionId)?.name ?? null);
  });
}

/** The ids of the actions in a job's filter, if it is about runs. */
function toActionIds(job: BulkJobRecord): readonly (string | undefined)[] {
  if (job.kind === "replay") return job.filter.actionIds.length === 1 ? job.filter.actionIds : [];
  return isOverRuns(job) ? [job.filter.actionId] : [];
}

function toJobView(job: BulkJobRecord, actionName: string | null): readonly BulkJobView[] {
  const shared = { ...toJobState(job), actionName };
  if (job.kind === "replay")
    return [{ ...shared, kind: job.kind, onlyMissing: job.filter.onlyMissing }];
  return isOverRuns(job) ? [{ ...shared, kind: job.kind, runStatus: job.filter.status }] : [];
}

/** The part of a job that the page shows. */
type BulkJobView = JobState & {
  readonly actionName: string | null;
} & (
    | { readonly kind: BulkKind; readonly runStatus: string }
    | { readonly kind: "replay"; readonly onlyMissing: boolean }
  );

async function readPage(
  { db }: ServiceContext,
  accountId: string,
  { filter, cursor, problems }: RunQuery,
  resume: Resume | undefined,
) {
  const nothing = { items: [], nextCursor: null, limit: pageSize };
  if (Object.keys(problems).length > 0) return { ...nothing, problem: null };
  try {
    const page = { limit: pageSize - (resume?.count ?? 0), cursor: resume?.cursor ?? cursor };
    const read = (part: PageRequest) => listRuns(db, accountId, filter, part);
    const isSearch = filter.q !== undefined || resume !== undefined;
    const found = isSearch ? await fillPage(read, page, resume?.signal) : await read(page);
    return { ...found, limit: page.limit, problem: null };
  } catch (error) {
    // An invalid cursor in the URL.
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    return { ...nothing, problem: error.message };
  }
}
