import type { z } from "zod";
import type { JobState } from "#lib/schema/act/bulk-job.ts";
import { runQuerySchema } from "#lib/schema/act/run.ts";
import { failuresSpanMs } from "#lib/schema/act/run-limits.ts";
import { type BulkKind, bulkStatuses } from "#lib/schema/act/run-states.ts";
import { type BulkJobRecord, isOverRuns } from "#lib/services/bulk-jobs.ts";
import { countFailures } from "#lib/services/failures.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import {
  type countBulkRuns,
  countRunsByReason,
  listRunJobs,
  listRunRows,
  nameRunFilter,
} from "#lib/services/runs.ts";
import { toJobState } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import {
  listValuesSchema,
  pageLinks,
  readListQuery,
  type SearchParams,
} from "#lib/web/request/list-query.ts";
import { describeSearch, type Resume, searchList } from "#lib/web/request/search-list.ts";

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
  const [page, groups, names, jobs, failed] = await Promise.all([
    searchList(context, listRunRows, { query, isScan: values.q !== "", resume }),
    isValid && params.group === "reason" ? countRunsByReason(context, asked) : null,
    nameRunFilter(context, { hookId: values.hookId, actionId: values.actionId }),
    readRunJobs(context),
    isValid ? countFailed(context, query) : null,
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
    failed,
  };
}

type RunQuery = ReturnType<typeof readRunQuery>;

/**
 * The number of failed runs in a list of them, and of those of the last days if it has older ones.
 * Null: it lists others, or is limited further.
 */
async function countFailed(
  context: ServiceContext,
  { values, asked: { from, to } }: RunQuery,
): Promise<{ readonly inList: number; readonly recent: number | null } | null> {
  const { status, actionId, subscriptionId, since: _s, from: _f, to: _t, ...others } = values;
  if (status !== "failed" || Object.values(others).some((value) => value !== "")) return null;
  const targetIds = [actionId, subscriptionId].filter((id) => id !== "");
  if (targetIds.length > 1) return null;
  const [target] = targetIds;
  const count = async (span: { readonly from?: string; readonly to?: string }) => {
    const { failed, byTarget } = await countFailures(context, { ...span, targetIds });
    return target === undefined ? failed : (byTarget.get(target)?.failed ?? 0);
  };
  const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const days = { from: new Date(context.now().getTime() - failuresSpanMs).toISOString() };
  const isAll = from === undefined && to === undefined;
  const [inList, recent] = await Promise.all([count(span), isAll ? count(days) : null]);
  return { inList, recent };
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

/** Bulk actions for runs in a state; null: none. */
function bulkKindOf(status: string): BulkKind | null {
  if (bulkStatuses.retry.some((one) => one === status)) return "retry";
  return bulkStatuses.cancel.some((one) => one === status) ? "cancel" : null;
}

/**
 * The job for the runs that a list shows. A relative time counts back from now. Null: this filter
 * has no job.
 */
export function readBulkChange(given: unknown): z.input<typeof countBulkRuns.input> | null {
  const values = listValuesSchema.safeParse(given);
  if (!values.success) return null;
  const { asked, problems } = readRunQuery(values.data, Date.now());
  const kind = bulkKindOf(asked.status ?? "");
  if (kind === null || Object.keys(problems).length > 0) return null;
  // The status is one of this kind's. The service parses all of it.
  return { kind, filter: asked } as z.input<typeof countBulkRuns.input>;
}

export const runFilters = [
  "q",
  "status",
  "hookId",
  "actionId",
  "subscriptionId",
  "jobId",
  "reason",
] as const;

export function readRunQuery(params: SearchParams, nowMs: number) {
  return readListQuery(params, { names: runFilters, schema: runQuerySchema, nowMs });
}
