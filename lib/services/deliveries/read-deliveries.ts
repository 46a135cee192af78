import { z } from "zod";
import { isId } from "#lib/base/ids.ts";
import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import { type DecodedBody, decodeBody } from "#lib/core/mapping/payload/decode-body.ts";
import { countDeliveries } from "#lib/db/deliveries/count-deliveries.ts";
import { type DeliveryRecord, getDelivery as findDelivery } from "#lib/db/deliveries/deliveries.ts";
import type { DeliveryFilter } from "#lib/db/deliveries/delivery-filter.ts";
import {
  listDeliveries as findDeliveries,
  readBodyStarts,
} from "#lib/db/deliveries/list-deliveries.ts";
import { listAccountEventTypes, listEventTypes } from "#lib/db/deliveries/list-event-types.ts";
import { readIndexedUntil } from "#lib/db/field-search/find-indexed.ts";
import { type FetchedFrom, findFetchedFrom } from "#lib/db/gaps/gaps.ts";
import { readHookLabels } from "#lib/db/hooks/hook-names.ts";
import { readDeliveryHours } from "#lib/db/overview/delivery-hours.ts";
import { countRuns } from "#lib/db/overview/overview.ts";
import { type DeliveryReply, findDeliveryReply } from "#lib/db/replies/find-replies.ts";
import { listRunsOfDelivery } from "#lib/db/runs/list-runs.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { deliveryQuerySchema } from "#lib/schema/receive/delivery.ts";
import {
  type DeliveryStatus,
  deliveryStatuses,
  fetchedScheme,
} from "#lib/schema/receive/delivery-status.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

export type { DeliveryRecord } from "#lib/db/deliveries/deliveries.ts";

export type { DeliverySummary } from "#lib/db/deliveries/delivery-summary.ts";

export type { DeliveryReply } from "#lib/db/replies/find-replies.ts";

export type WholeDelivery = {
  readonly delivery: DeliveryRecord;
  /** The body without its `Content-Encoding`. */
  readonly decoded: DecodedBody;
  readonly runs: readonly RunRecord[];
  /** The response that the provider got from the hook's action, or the one sent instead. */
  readonly reply: DeliveryReply | null;
  /** Null: it arrived by itself. */
  readonly fetched: FetchedFrom | null;
};

/** Returns a delivery with its payload, runs, and reply. Throws `not_found`. */
export const getDelivery = service({
  permission: "deliveries:read",
  input: byId,
  run: (context, { id }) => readWholeDelivery(context, id),
});

/** The account's deliveries, newest first. */
export const listDeliveries = service({
  permission: "deliveries:read",
  input: deliveryQuerySchema,
  run: ({ db, actor }, { limit, cursor, ...filter }) =>
    findDeliveries(db, actor.accountId, filter, { limit, cursor }),
});

const rows = z.array(z.object({ id: recordId, hookId: recordId }));

/** The facts that a list shows beside its deliveries, each by its id. */
export const readDeliveryRows = service({
  permission: "deliveries:read",
  input: z.strictObject({ deliveries: rows }),
  run: async ({ db, actor }, { deliveries }) => {
    const ids = deliveries.map(({ id }) => id);
    const hookIds = deliveries.map(({ hookId }) => hookId);
    const [runs, bodyStarts, hooks] = await Promise.all([
      countRuns(db, actor.accountId, ids),
      readBodyStarts(db, actor.accountId, ids),
      readHookLabels(db, actor.accountId, hookIds),
    ]);
    return { runs, bodyStarts, hooks };
  },
});

/** The event types that a hook has received. Without a hook: those of the account. */
export const listReceivedTypes = service({
  permission: "deliveries:read",
  input: z.strictObject({ hookId: recordId.optional() }),
  run: async ({ db, actor }, { hookId }): Promise<readonly string[]> => {
    if (hookId === undefined) return await listAccountEventTypes(db, actor.accountId);
    return isId(hookId) ? await listEventTypes(db, actor.accountId, hookId) : [];
  },
});

/** The body as received. */
export const readBody = service({
  permission: "deliveries:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<Uint8Array> =>
    (await findDelivery(db, actor.accountId, id)).body,
});

export async function readWholeDelivery(
  { db, actor }: ServiceContext,
  deliveryId: string,
): Promise<WholeDelivery> {
  const { accountId } = actor;
  const delivery = await findDelivery(db, accountId, deliveryId);
  const [decoded, runs, reply, fetched] = await Promise.all([
    decodeReceived(delivery),
    listRunsOfDelivery(db, accountId, delivery.id),
    findDeliveryReply(db, accountId, delivery.id),
    delivery.verificationScheme === fetchedScheme
      ? findFetchedFrom(db, accountId, delivery.id)
      : null,
  ]);
  return { delivery, decoded, runs, reply, fetched };
}

export async function decodeReceived({ headersJson, body }: DeliveryRecord): Promise<DecodedBody> {
  const headers = toDistinctHeaders(JSON.parse(headersJson));
  return await decodeBody(body, headers["content-encoding"]?.join(", ") ?? null);
}

/** Notes of a list about its filter. */
export const describeFilter = service({
  permission: "deliveries:read",
  input: deliveryQuerySchema,
  run: async (context, { limit: _limit, cursor: _cursor, status: _any, ...filter }) => {
    const [activity, indexedUntil] = await Promise.all([
      countOverTime(context, filter),
      readLag(context, filter),
    ]);
    return { activity, indexedUntil };
  },
});

/** The index is always a minute or two behind, which is soon enough. */
const usualLagMs = 5 * 60_000;

/** The time up to which the fields of the hook are indexed, if it is long ago and they are searched. */
async function readLag(
  { db, actor, now }: ServiceContext,
  { hookId, q }: DeliveryFilter,
): Promise<Date | null> {
  if (hookId === undefined || q === undefined || !isId(hookId)) return null;
  const until = await readIndexedUntil(db, actor.accountId, hookId, q);
  return until !== null && until.getTime() < now().getTime() - usualLagMs ? until : null;
}

/** The number of deliveries of a list's filter over time, whatever their status. */
type DeliveryActivity = {
  /** The start of the first bar, in Unix milliseconds. */
  readonly fromMs: number;
  readonly bucketMs: number;
  /** The bars, oldest first: the counts in the order of `deliveryStatuses`. */
  readonly bars: readonly (readonly number[])[];
  readonly totals: Readonly<Record<DeliveryStatus, number>>;
  /** Only the newest were counted: there are more. */
  readonly isMore: boolean;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The time that is counted if the filter has none. */
const defaultSpanMs = 168 * hourMs;
const maxBars = 60;
/** Hours are too coarse for a shorter time, whose deliveries are counted one by one. */
const minRolledUpMs = 6 * hourMs;

/**
 * Counts the deliveries of a filter over its time, or over the last seven days. The roll-up has them
 * by hook; by other filters they are counted one by one, the newest 10,000. Null: they can't be
 * counted in a short time, such as those of a text search.
 */
async function countOverTime(
  { db, actor: { accountId }, now }: ServiceContext,
  filter: DeliveryFilter,
): Promise<DeliveryActivity | null> {
  const nowMs = now().getTime();
  if ([filter.hookId, filter.batchId].some((id) => id !== undefined && !isId(id))) return null;
  const from = filter.from ?? (filter.to ?? nowMs) - defaultSpanMs;
  const to = Math.min(filter.to ?? nowMs, nowMs);
  if (to <= from) return null;
  if (isRolledUp(filter) && to - from >= minRolledUpMs) {
    const bucketMs = chooseBucket(to - from, hourMs);
    const fromMs = Math.floor(from / hourMs) * hourMs;
    const counts = await readDeliveryHours(db, accountId, { hookId: filter.hookId, fromMs });
    return toActivity({ counts, fromMs, toMs: to, bucketMs, isMore: false });
  }
  const found = await countDeliveries(db, accountId, { ...filter, from, to });
  const bucketMs = chooseBucket(to - from, minuteMs);
  const fromMs = Math.floor(from / minuteMs) * minuteMs;
  return found === null ? null : toActivity({ ...found, fromMs, toMs: to, bucketMs });
}

function isRolledUp({ hookId: _hook, from: _from, to: _to, ...rest }: DeliveryFilter): boolean {
  return Object.values(rest).every((value) => value === undefined);
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080, 43_200];

function chooseBucket(spanMs: number, least: number): number {
  const fitting = steps.map((minutes) => minutes * minuteMs).filter((step) => step >= least);
  return fitting.find((step) => spanMs / step <= maxBars) ?? Math.ceil(spanMs / maxBars);
}

type Counted = {
  readonly counts: readonly { status: DeliveryStatus; ms: number; count: number }[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketMs: number;
  readonly isMore: boolean;
};

function toActivity({ counts, fromMs, toMs, bucketMs, isMore }: Counted): DeliveryActivity {
  const barCount = Math.ceil((toMs - fromMs) / bucketMs);
  const bars = Array.from({ length: barCount }, () => deliveryStatuses.map(() => 0));
  const totals = Object.fromEntries(deliveryStatuses.map((status) => [status, 0])) as Record<
    DeliveryStatus,
    number
  >;
  for (const { status, ms, count } of counts) {
    if (ms >= toMs) continue;
    totals[status] += count;
    const bar = bars[Math.min(barCount - 1, Math.max(0, Math.floor((ms - fromMs) / bucketMs)))];
    const at = deliveryStatuses.indexOf(status);
    if (bar !== undefined) bar[at] = (bar[at] ?? 0) + count;
  }
  return { fromMs, bucketMs, bars, totals, isMore };
}
