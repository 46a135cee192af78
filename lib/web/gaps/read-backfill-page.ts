import { getBulkJob } from "#lib/services/bulk-jobs.ts";
import { listCredentials } from "#lib/services/credentials.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { getGapSchedule } from "#lib/services/gaps/gap-schedules.ts";
import { findMissingGap, getGap, listGaps, readGapSource } from "#lib/services/gaps/gaps.ts";
import { toJobState } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { listFitting } from "#lib/web/credentials/list-fitting.ts";
import { readHookHeader } from "#lib/web/hooks/read-hook-page.ts";
import { nullIfNotFound } from "#lib/web/request/is-gone.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { describeGap } from "./gap-view.ts";

const shownGaps = "10";
const maxCredentials = "200";

/**
 * The searches that a hook's provider allows, and those that were made. `?search=` chooses the one to
 * show: an id, or `missing` for the newest with something to take in. Throws `not_found`.
 */
export async function readBackfillPage(
  context: ServiceContext,
  hookId: string,
  params: SearchParams,
) {
  const hook = await readHookHeader(context, hookId);
  const [source, gaps, credentials, schedule, missingId] = await Promise.all([
    readGapSource(context, { id: hook.id }),
    listGaps(context, { id: hook.id, limit: shownGaps }),
    listCredentials(context, { limit: maxCredentials }),
    getGapSchedule(context, { id: hook.id }),
    findMissingGap(context, { id: hook.id }),
  ]);
  const [newest] = gaps.items;
  const wanted = params.search === "missing" ? missingId : params.search;
  const chosen = typeof wanted === "string" ? await readChosen(context, hook.id, wanted) : null;
  const shown = chosen ?? (newest && (await getGap(context, { id: hook.id, gapId: newest.id })));
  const others = gaps.items.filter(({ id }) => id !== shown?.id);
  const nowMs = context.now().getTime();
  return {
    nowMs,
    hook,
    schedule,
    source: source === null ? null : viewSource(source, credentials.items),
    isSearching: newest?.status === "asking",
    shown: shown === undefined ? null : viewWhole(shown),
    job: shown === undefined ? null : await readJob(context, shown.jobId),
    others: others.map((gap) => viewGap(gap)),
    isNewest: shown?.id === newest?.id,
    /** An earlier search has events that can still be taken in, and the one shown hasn't. */
    hasEarlierMissing:
      missingId !== null && shown?.status !== "asking" && !shown?.types.some(isMissing),
    // As long as the provider lists, if that is shorter than a week.
    from:
      readMinute(params.from) ??
      toMinute(nowMs - Math.min(7, source?.list.retentionDays ?? 7) * dayMs),
    to: readMinute(params.to) ?? "",
  };
}

const dayMs = 86_400_000;

/** Null: it was deleted, or the URL was edited. */
async function readChosen(context: ServiceContext, hookId: string, gapId: string) {
  return await getGap(context, { id: hookId, gapId }).catch(nullIfNotFound);
}

function isMissing({ missingCount, eventType }: Whole["types"][number]): boolean {
  return missingCount > 0 && eventType !== null;
}

/** To the minute, in UTC, as the fields of the form have it. */
function toMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}

/** Null: the URL has none. */
function readMinute(given: SearchParams[string]): string | null {
  return typeof given === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(given) ? given : null;
}

type Source = NonNullable<Awaited<ReturnType<typeof readGapSource>>>;
type Credentials = Awaited<ReturnType<typeof listCredentials>>["items"];

function viewSource(
  { list, lastCredentialId, lastWebhook, whyNot }: Source,
  credentials: Credentials,
) {
  const { name, origin, retentionDays, credentialHelp, difference } = list;
  return {
    ...{ name, origin, retentionDays, credentialHelp, difference, whyNot, lastCredentialId },
    webhook:
      list.redelivers === undefined
        ? null
        : { label: list.redelivers.label, help: list.redelivers.help, last: lastWebhook ?? "" },
    credentials: listFitting(credentials, list, lastCredentialId),
  };
}

async function readJob(context: ServiceContext, jobId: string | null) {
  if (jobId === null) return null;
  const job = await getBulkJob(context, { id: jobId }).catch(nullIfNotFound);
  if (job === null || job.kind !== "take_in") return null;
  const { duplicateCount, rejectedCount, changedCount } = job;
  return { ...toJobState(job), seen: changedCount + duplicateCount + rejectedCount };
}

type Whole = Awaited<ReturnType<typeof getGap>>;
type Listed = Awaited<ReturnType<typeof listGaps>>["items"][number];

function viewWhole({ types, cameCount, ...gap }: Whole) {
  return { ...viewGap(gap, cameCount), types: [...types] };
}

function viewGap(gap: Listed, cameCount: number | null = null) {
  const { id, status, reason, askedFrom, fromAt, toAt, eventCount, missingCount } = gap;
  const { takenCount, repeatedCount, askedBy, createdAt } = gap;
  return {
    ...{ id, status, reason, eventCount, missingCount, takenCount, repeatedCount },
    ...{ fromAt, toAt, askedBy, createdAt, summary: describeGap(gap, cameCount) },
    isCut: fromAt.getTime() > askedFrom.getTime(),
  };
}
