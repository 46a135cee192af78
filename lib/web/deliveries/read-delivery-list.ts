import { isId } from "#lib/base/ids.ts";
import { chooseDifferingValues, nameOf } from "#lib/core/mapping/compare/differing-values.ts";
import {
  isPlain,
  type PayloadValues,
  readPayloadValues,
} from "#lib/core/mapping/compare/payload-values.ts";
import { findPayloadField } from "#lib/core/providers/catalog/catalog.ts";
import { bodyPath } from "#lib/schema/field/common.ts";
import { listCurrentJobs } from "#lib/services/bulk-jobs.ts";
import {
  type DeliverySummary,
  describeFilter,
  listDeliveries,
  readDeliveryRows,
} from "#lib/services/deliveries/read-deliveries.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { toJobState } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import {
  readColumns,
  readDeliveryQuery,
  readWidths,
} from "#lib/web/deliveries/delivery-filters.ts";
import { nullIfNotFound } from "#lib/web/request/is-gone.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import { readHook } from "#lib/web/request/read-named.ts";
import { describeSearch, type Resume, searchList } from "#lib/web/request/search-list.ts";
import { toBodyStart } from "./delivery-body.ts";

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
  { hookId, path, resume }: ListPlace,
  params: SearchParams,
) {
  const nowMs = context.now().getTime();
  const query = readDeliveryQuery(
    hookId === null ? params : { ...params, hookId: undefined },
    nowMs,
  );
  const { values, problems } = query;
  const columns = readColumns(params);
  const widths = readWidths(params, columns.length);
  const arranged = {
    columns: columns.join(","),
    widths: widths.some(Boolean) ? widths.join() : "",
  };
  const shown = { ...query, values: { ...values, ...arranged } };
  const asked = hookId === null ? query.asked : { ...query.asked, hookId };
  const isScan = values.q !== "" || values.runs !== "";
  const isCounted = resume === undefined && Object.keys(problems).length === 0;
  const [page, jobs, described] = await Promise.all([
    searchList(context, listDeliveries, { query: { ...query, asked }, isScan, resume }),
    readAcceptJobs(context),
    isCounted ? describeFilter(context, asked) : nothingCounted,
  ]);
  const [deliveries, chosen] = await Promise.all([
    toDeliveryRows(context, page.items, columns),
    isId(values.hookId) ? readHook(context, values.hookId).catch(nullIfNotFound) : null,
  ]);
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    hookName: chosen?.name ?? null,
    jobs,
    /** True if all deliveries shown can be accepted together. */
    isAcceptable:
      values.status === "rejected" && values.runs === "" && Object.keys(problems).length === 0,
    ...described,
    deliveries,
    links: pageLinks(path, shown, page.nextCursor),
    search: describeSearch(page, { list: "deliveries", hookId, query: shown }),
    columns: columns.map((path, at) => ({
      ...{ path, title: nameOf(path, columns) },
      width: widths[at] ?? null,
    })),
    paths: suggestPaths(deliveries.map((delivery) => delivery.values)),
  };
}

const nothingCounted = { activity: null, indexedUntil: null };

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

const latest = "10";

/** The newest deliveries of the account, for the home page. */
export async function readLatestDeliveries(context: ServiceContext) {
  const { items } = await listDeliveries(context, { limit: latest });
  return await toDeliveryRows(context, items);
}

/** The rows that a list shows of deliveries, with the values of these payload paths. */
async function toDeliveryRows(
  context: ServiceContext,
  deliveries: readonly DeliverySummary[],
  columns: readonly string[] = [],
) {
  const { runs, bodyStarts, hooks } = await readDeliveryRows(context, {
    deliveries: [...deliveries],
  });
  const read = deliveries.map((delivery) =>
    readStart(delivery, bodyStarts.get(delivery.id), hooks.get(delivery.hookId)?.provider ?? ""),
  );
  const differing = chooseDifferingValues(
    deliveries.map(({ eventType }, at) => ({ eventType, values: read[at]?.values ?? new Map() })),
  );
  return deliveries.map((delivery, at) => {
    const { text = null, values = new Map<string, string>() } = read[at] ?? {};
    return {
      ...toDeliveryRow(delivery),
      hookName: hooks.get(delivery.hookId)?.name ?? "",
      runs: runs.get(delivery.id) ?? [],
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
  { contentType }: DeliverySummary,
  start: Uint8Array | undefined,
  provider: string,
): { readonly text: string | null; readonly values: PayloadValues } {
  const text = start === undefined ? null : toBodyStart(start);
  if (text === null) return { text, values: new Map() };
  const values = readPayloadValues(text, contentType, findPayloadField(provider));
  return { text: text.slice(0, maxTextChars), values };
}

function toDeliveryRow(delivery: DeliverySummary) {
  const { id, status, reason, receivedAt, verificationOutcome, isSample } = delivery;
  const { method, path, query, eventType, contentType, bodySize } = delivery;
  return {
    id,
    status,
    reason,
    receivedAt,
    verificationOutcome,
    isSample,
    method,
    target: `${path}${query === "" ? "" : `?${query}`}`.slice(0, maxTargetChars),
    eventType,
    contentType,
    bodySize,
  };
}

const maxTargetChars = 300;
const maxTextChars = 240;
