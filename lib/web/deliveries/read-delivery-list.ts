import type { PageRequest } from "#lib/core/api/page.ts";
import { findPayloadField } from "#lib/core/catalog/catalog.ts";
import { chooseDifferingValues, nameOf } from "#lib/core/compare/differing-values.ts";
import {
  isPlain,
  type PayloadValues,
  readPayloadValues,
} from "#lib/core/compare/payload-values.ts";
import { readBodyStarts } from "#lib/db/deliveries/body-starts.ts";
import type { DeliveryFilter } from "#lib/db/deliveries/delivery-filter.ts";
import type { DeliverySummary } from "#lib/db/deliveries/delivery-summary.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { readIndexedUntil } from "#lib/db/field-search/find-indexed.ts";
import { readHookNames, readHookProviders } from "#lib/db/hooks/hook-names.ts";
import { countRuns, type DeliveryWithRuns } from "#lib/db/overview/overview.ts";
import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/ids.ts";
import { bodyPath } from "#lib/schema/field/common.ts";
import { listCurrentJobs } from "#lib/services/bulk-jobs/read-bulk-jobs.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { toJobState } from "#lib/web/bulk-jobs/job-state.ts";
import { toBodyStart } from "#lib/web/deliveries/body-start.ts";
import {
  type DeliveryQuery,
  readColumns,
  readDeliveryQuery,
} from "#lib/web/deliveries/delivery-filters.ts";
import { describeSearch } from "#lib/web/request/describe-search.ts";
import { fillPage, type Resume } from "#lib/web/request/fill-page.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import { readDeliveryActivity } from "#lib/services/deliveries/read-delivery-activity.ts";

const pageSize = 50;

type ListPlace = {
  /** The hook whose deliveries are listed; null: all hooks. */
  readonly hookId: string | null;
  /** The path of the page with the list. */
  readonly path: string;
  /** The position where a continued search begins. */
  readonly resume?: Resume;
};

/** A page of deliveries for a URL. */
export async function readDeliveryList(
  context: ServiceContext,
  accountId: string,
  place: ListPlace,
  params: SearchParams,
) {
  const { hookId, path } = place;
  const nowMs = Date.now();
  const query = readDeliveryQuery(
    hookId === null ? params : { ...params, hookId: undefined },
    nowMs,
  );
  const { values, problems } = query;
  const columns = readColumns(params);
  const shown = { ...query, values: { ...values, columns: columns.join(",") } };
  const filter = hookId === null ? query.filter : { ...query.filter, hookId };
  const isCounted = place.resume === undefined && Object.keys(problems).length === 0;
  const [page, jobs, activity, indexedUntil] = await Promise.all([
    readPage(context, accountId, place, query),
    readAcceptJobs(context),
    isCounted ? readDeliveryActivity(context, accountId, filter, nowMs) : null,
    readLag(context, accountId, filter, nowMs),
  ]);
  const [deliveries, chosen] = await Promise.all([
    withRunCounts(context, accountId, page.items).then((items) =>
      toDeliveryRows(context, accountId, items, columns),
    ),
    readHookNames(context.db, accountId, [values.hookId].filter(isId)),
  ]);
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    hookName: chosen.get(values.hookId) ?? null,
    jobs,
    /** True if all deliveries shown can be accepted together. */
    isAcceptable:
      values.status === "rejected" && values.runs === "" && Object.keys(problems).length === 0,
    activity,
    indexedUntil,
    deliveries,
    links: pageLinks(path, shown, page.nextCursor),
    search: describeSearch(page, { list: "deliveries", hookId, query: shown }),
    columns: columns.map((path) => ({ path, title: nameOf(path, columns) })),
    paths: suggestPaths(deliveries.map((delivery) => delivery.values)),
  };
}

/** The index is always a minute or two behind, which is soon enough. */
const usualLagMs = 5 * 60_000;

/** The time up to which the fields of the hook are indexed, if it is long ago and they are searched. */
async function readLag(
  { db }: ServiceContext,
  accountId: string,
  { hookId, q }: DeliveryFilter,
  nowMs: number,
): Promise<Date | null> {
  if (hookId === undefined || q === undefined || !isId(hookId)) return null;
  const until = await readIndexedUntil(db, accountId, hookId, q);
  return until !== null && until.getTime() < nowMs - usualLagMs ? until : null;
}

const shownJobs = 3;

/** Jobs that accept rejected deliveries, running or just finished. */
async function readAcceptJobs(context: ServiceContext) {
  const jobs = await listCurrentJobs(context, { kinds: ["accept"], limit: shownJobs });
  return jobs
    .flatMap((job) => (job.kind === "accept" ? [job] : []))
    .map((job) => {
      const { duplicateCount, rejectedCount, notStoredCount } = job;
      return { ...toJobState(job), duplicateCount, rejectedCount, notStoredCount };
    });
}

async function readPage(
  { db }: ServiceContext,
  accountId: string,
  { hookId, resume }: ListPlace,
  query: DeliveryQuery,
) {
  const nothing = { items: [], nextCursor: null, limit: pageSize };
  if (Object.keys(query.problems).length > 0) return { ...nothing, problem: null };
  const filter = hookId === null ? query.filter : { ...query.filter, hookId };
  try {
    const page = { limit: pageSize - (resume?.count ?? 0), cursor: resume?.cursor ?? query.cursor };
    const read = (part: PageRequest) => listDeliveries(db, accountId, filter, part);
    const isScan = filter.q !== undefined || filter.runs !== undefined;
    const isSearch = isScan || resume !== undefined;
    const found = isSearch ? await fillPage(read, page, resume?.signal) : await read(page);
    return { ...found, limit: page.limit, problem: null };
  } catch (error) {
    // An invalid cursor in the URL.
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    return { ...nothing, problem: error.message };
  }
}

async function withRunCounts(
  { db }: ServiceContext,
  accountId: string,
  deliveries: readonly DeliverySummary[],
) {
  if (deliveries.length === 0) return [];
  const ids = deliveries.map(({ id }) => id);
  const runs = await countRuns(db, accountId, ids);
  return deliveries.map((delivery) => ({ ...delivery, runs: runs.get(delivery.id) ?? [] }));
}

/** The rows that a list shows of deliveries, with the values of these payload paths. */
export async function toDeliveryRows(
  { db }: ServiceContext,
  accountId: string,
  deliveries: readonly DeliveryWithRuns[],
  columns: readonly string[] = [],
) {
  const ids = deliveries.map(({ id }) => id);
  const hookIds = deliveries.map(({ hookId }) => hookId);
  const [starts, names, providers] = await Promise.all([
    readBodyStarts(db, accountId, ids),
    readHookNames(db, accountId, hookIds),
    readHookProviders(db, accountId, hookIds),
  ]);
  const read = deliveries.map((delivery) =>
    readStart(delivery, starts.get(delivery.id), providers.get(delivery.hookId) ?? ""),
  );
  const differing = chooseDifferingValues(
    deliveries.map(({ eventType }, at) => ({ eventType, values: read[at]?.values ?? new Map() })),
  );
  return deliveries.map((delivery, at) => {
    const { text = null, values = new Map<string, string>() } = read[at] ?? {};
    return {
      ...toDeliveryRow(delivery, names),
      bodyStart: text,
      differs: differing[at] ?? [],
      cells: columns.map((path) => values.get(path) ?? null),
      values,
    };
  });
}

/** The maximum number of payload paths that are offered as columns. */
const maxPaths = 80;

/** The payload paths of the rows with an example each, those that most rows have first. */
function suggestPaths(rows: readonly PayloadValues[]): readonly (readonly [string, string])[] {
  const found = new Map<string, { readonly example: string; count: number }>();
  for (const [path, value] of rows.flatMap((values) => [...values])) {
    const known = found.get(path);
    if (known !== undefined) known.count += 1;
    else if (isPlain(value) && bodyPath.safeParse(path).success)
      found.set(path, { example: value.slice(0, maxExampleChars), count: 1 });
  }
  return [...found]
    .toSorted(([, one], [, other]) => other.count - one.count)
    .slice(0, maxPaths)
    .map(([path, { example }]) => [path, example]);
}

const maxExampleChars = 30;

/** The start of a body as one line of text, and its values. */
function readStart(
  { contentType }: DeliveryWithRuns,
  start: Uint8Array | undefined,
  provider: string,
): { readonly text: string | null; readonly values: PayloadValues } {
  const text = start === undefined ? null : toBodyStart(start);
  if (text === null) return { text, values: new Map() };
  const values = readPayloadValues(text, contentType, findPayloadField(provider));
  return { text: text.slice(0, maxTextChars), values };
}

function toDeliveryRow(delivery: DeliveryWithRuns, names: ReadonlyMap<string, string>) {
  const { id, hookId, status, reason, receivedAt, verificationOutcome, isSample, runs } = delivery;
  const { method, path, query, eventType, contentType, bodySize } = delivery;
  return {
    id,
    hookName: names.get(hookId) ?? "",
    status,
    reason,
    receivedAt,
    verificationOutcome,
    isSample,
    runs,
    method,
    target: `${path}${query === "" ? "" : `?${query}`}`.slice(0, maxTargetChars),
    eventType,
    contentType,
    bodySize,
  };
}

const maxTargetChars = 300;
const maxTextChars = 240;
