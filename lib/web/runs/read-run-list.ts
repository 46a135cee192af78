import type { JobState } from "#lib/schema/act/bulk-job.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import { type BulkJobRecord, isOverRuns } from "#lib/services/bulk-jobs.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { countRunsByReason, listRunJobs, listRunRows, nameRunFilter } from "#lib/services/runs.ts";
import { toJobState } from "#lib/web/bulk-jobs/job-state.ts";
import { describeSearch } from "#lib/web/request/describe-search.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import { type Resume, searchList } from "#lib/web/request/search-list.ts";
import { readRunQuery } from "#lib/web/runs/run-filters.ts";
import { bulkKindOf } from "./read-bulk-change.ts";

/**
 * A page of runs for a URL, and the bulk jobs on runs.
 *
 * @param resume only what the page finds after this
 */
export async function readRunList(context: ServiceContext, params: SearchParams, resume?: Resume) {
  const nowMs = context.now().getTime();
  const query = readRunQuery(params, nowMs);
  const { values, problems, asked } = query;
  const isValid = Object.keys(problems).length === 0;
  const [page, groups, names, jobs] = await Promise.all([
    searchList(context, listRunRows, { query, isScan: values.q !== "", resume }),
    isValid && params.group === "reason" ? countRunsByReason(context, asked) : null,
    nameRunFilter(context, { hookId: values.hookId, actionId: values.actionId }),
    readRunJobs(context),
  ]);
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    runs: page.items,
    links: pageLinks("/runs", query, page.nextCursor),
    groups,
    search: describeSearch(page, { list: "runs", hookId: null, query }),
    ...names,
    bulk: isValid ? bulkKindOf(values.status) : null,
    jobs,
  };
}

/** The latest bulk jobs on runs: those in progress, and those that ended a while ago. */
export async function readRunJobs(context: ServiceContext) {
  const jobs = await listRunJobs(context, {});
  return jobs.flatMap(({ job, actionName }) => toJobView(job, actionName));
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
