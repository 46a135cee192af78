import { getBulkJob } from "#lib/services/bulk-jobs.ts";
import { listCredentials } from "#lib/services/credentials.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { getGap, listGaps, readGapSource } from "#lib/services/gaps.ts";
import { toJobState } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { readHookHeader } from "#lib/web/hooks/read-hook-page.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { nullIfNotFound } from "#lib/web/request/or-not-found.ts";
import { describeGap } from "./gap-view.ts";

const shownGaps = "10";
const maxCredentials = "200";

/** What a hook's provider can be asked for, and its searches. Throws `not_found`. */
export async function readBackfillPage(
  context: ServiceContext,
  hookId: string,
  params: SearchParams,
) {
  const hook = await readHookHeader(context, hookId);
  const [source, gaps, credentials] = await Promise.all([
    readGapSource(context, { id: hook.id }),
    listGaps(context, { id: hook.id, limit: shownGaps }),
    listCredentials(context, { limit: maxCredentials }),
  ]);
  const [newest, ...older] = gaps.items;
  const nowMs = context.now().getTime();
  return {
    nowMs,
    hook,
    source: source === null ? null : viewSource(source, credentials.items),
    newest:
      newest === undefined
        ? null
        : viewWhole(await getGap(context, { id: hook.id, gapId: newest.id })),
    job: newest === undefined ? null : await readJob(context, newest.jobId),
    older: older.map(viewGap),
    from: readMinute(params.from) ?? toMinute(nowMs - 7 * dayMs),
    to: readMinute(params.to) ?? "",
  };
}

const dayMs = 86_400_000;

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

function viewSource({ list, lastCredentialId, whyNot }: Source, credentials: Credentials) {
  const { name, origin, retentionDays, credentialHelp, difference, isOrigin } = list;
  const fitting = credentials.filter(
    (each) => isOrigin(each.origin) || each.origin.startsWith("http:"),
  );
  return {
    ...{ name, origin, retentionDays, credentialHelp, difference, whyNot, lastCredentialId },
    credentials: fitting.map((each) => ({ id: each.id, name: each.name })),
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

function viewWhole({ types, ...gap }: Whole) {
  return { ...viewGap(gap), types: [...types] };
}

function viewGap(gap: Listed) {
  const { id, status, reason, askedFrom, fromAt, missingCount, takenCount, repeatedCount } = gap;
  const { refusedCount, askedBy, takenBy, createdAt } = gap;
  return {
    ...{ id, status, reason, missingCount, takenCount, repeatedCount, refusedCount },
    ...{ askedBy, takenBy, createdAt, summary: describeGap(gap) },
    isCut: fromAt.getTime() > askedFrom.getTime(),
  };
}
