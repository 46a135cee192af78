import { waitPercentile } from "#lib/core/statistics/wait-histogram.ts";
import { type DeliveryStatus, deliveryStatuses } from "#lib/schema/delivery.ts";
import type { Database } from "./client.ts";
import { Prisma } from "./generated/client.ts";
import { findLastDeliveries, type LastDelivery } from "./overview.ts";
import {
  deliveryCounts,
  hourMs,
  runCounts,
  toHour,
  waitCounts,
  walkAlongIndexes,
} from "./statistics-hours.ts";

export type DeliveryCounts = Readonly<Record<DeliveryStatus, number>>;
/** As they stand in the queue: `open` waits for an attempt, or one is under way. */
export type RunCounts = Readonly<Record<RunOutcome, number>>;
export const runOutcomes = ["succeeded", "failed", "open", "skipped", "cancelled"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

export type HookStatistics = {
  /** The last 24 hours, oldest first; the last one is the hour that it is. `startMs` is Unix time. */
  readonly hours: readonly { readonly startMs: number; readonly deliveries: DeliveryCounts }[];
  /** Over the 24 hours. */
  readonly deliveries: DeliveryCounts;
  /** Of what was delivered in the 24 hours. */
  readonly runs: RunCounts;
  /** Succeeded of those that have succeeded or failed, 0 to 1; null where none has. */
  readonly successRate: number | null;
  /** Of any time. */
  readonly last: LastDelivery | null;
};

/**
 * The last 24 hours of each of these hooks, at a cost that does not grow with the number of deliveries: rolled up rows, and the last
 * minutes from an index. Hooks of other accounts have no entry.
 */
export async function readHookStatistics(
  db: Database,
  accountId: string,
  hookIds: readonly string[],
): Promise<ReadonlyMap<string, HookStatistics>> {
  const nowMs = Date.now();
  const fromMs = toHour(nowMs) - 23 * hourMs;
  const owned = await listLiveHooks(db, accountId, hookIds);
  const last = await findLastDeliveries(db, accountId, owned);
  const [deliveries, runs] = await inOneSnapshot(db, async (tx, countedUntilMs) => {
    const hours = { accountId, hookIds: owned, fromMs, countedUntilMs, nowMs };
    return [
      await tx.$queryRaw<(HookRow & { hour: Date; status: DeliveryStatus })[]>`
        with ${deliveryCounts(hours)} select hook_id, hour, status, sum(count)::float8 as count from counted group by 1, 2, 3`,
      await tx.$queryRaw<(HookRow & { state: string })[]>`
        with ${runCounts(hours)} select hook_id, state, sum(count)::float8 as count from counted group by 1, 2`,
    ] as const;
  });
  const deliveriesOf = Map.groupBy(deliveries, ({ hook_id }) => hook_id);
  const runsOf = Map.groupBy(runs, ({ hook_id }) => hook_id);
  return new Map(
    owned.map((id) => {
      const ofHook = deliveriesOf.get(id) ?? [];
      const sums = sumRuns(runsOf.get(id) ?? []);
      const hours = Array.from({ length: 24 }, (_, at) => fromMs + at * hourMs).map((startMs) => ({
        startMs,
        deliveries: sumDeliveries(ofHook.filter(({ hour }) => hour.getTime() === startMs)),
      }));
      const statistics = { hours, deliveries: sumDeliveries(ofHook), runs: sums, successRate: toRate(sums) };
      return [id, { ...statistics, last: last.get(id) ?? null }];
    }),
  );
}

export type AccountStatistics = {
  /** Oldest first; the last one holds now. */
  readonly buckets: readonly {
    readonly startMs: number;
    readonly deliveries: DeliveryCounts;
    readonly runs: RunCounts;
  }[];
  readonly deliveries: DeliveryCounts;
  readonly runs: RunCounts;
  readonly successRate: number | null;
  /** From the arrival of a delivery to the start of its first call, in milliseconds; null where nothing was called. */
  readonly wait: { readonly p50Ms: number; readonly p95Ms: number } | null;
  /** By action, of those that have runs. */
  readonly targets: ReadonlyMap<string, RunCounts>;
};

/** What an account's hooks got and did since `fromMs` (Unix time, the beginning of an hour), in buckets of whole hours. */
export async function readAccountStatistics(
  db: Database,
  accountId: string,
  { fromMs, bucketMs, nowMs }: { readonly fromMs: number; readonly bucketMs: number; readonly nowMs: number },
): Promise<AccountStatistics> {
  const hookIds = await listLiveHooks(db, accountId);
  const bucket = Prisma.sql`floor((extract(epoch from hour) * 1000 - ${fromMs}::float8) / ${bucketMs}::float8)::int`;
  const rows = await inOneSnapshot(db, async (tx, countedUntilMs) => {
    const hours = { accountId, hookIds, fromMs, countedUntilMs, nowMs };
    return {
      deliveries: await tx.$queryRaw<DeliveryRow[]>`
        with ${deliveryCounts(hours)}
        select ${bucket} as bucket, status, sum(count)::float8 as count from counted group by 1, 2`,
      runs: await tx.$queryRaw<RunRow[]>`
        with ${runCounts(hours)}
        select ${bucket} as bucket, target_id, state, sum(count)::float8 as count from counted group by 1, 2, 3`,
      waits: await tx.$queryRaw<{ bucket: number; count: number }[]>`
        with ${waitCounts(hours)} select bucket, sum(count)::float8 as count from counted group by 1`,
    };
  });
  const { deliveries, runs, waits } = rows;
  const count = Math.floor((nowMs - fromMs) / bucketMs) + 1;
  const totals = sumRuns(runs);
  const [p50Ms, p95Ms] = [waitPercentile(waits, 0.5), waitPercentile(waits, 0.95)];
  return {
    buckets: Array.from({ length: count }, (_, at) => ({
      startMs: fromMs + at * bucketMs,
      deliveries: sumDeliveries(deliveries.filter((row) => row.bucket === at)),
      runs: sumRuns(runs.filter((row) => row.bucket === at)),
    })),
    deliveries: sumDeliveries(deliveries),
    runs: totals,
    successRate: toRate(totals),
    wait: p50Ms === null || p95Ms === null ? null : { p50Ms, p95Ms },
    targets: new Map(
      Array.from(
        Map.groupBy(runs, ({ target_id }) => target_id),
        ([id, ofTarget]) => [id, sumRuns(ofTarget)],
      ),
    ),
  };
}

type HookRow = { hook_id: string; count: number };
type DeliveryRow = { bucket: number; status: DeliveryStatus; count: number };
type RunRow = { bucket: number; target_id: string; state: string; count: number };

/** Live ones only: of a deleted hook nothing is told. */
async function listLiveHooks(
  db: Database,
  accountId: string,
  among?: readonly string[],
): Promise<readonly string[]> {
  const hooks = await db.hook.findMany({
    where: { accountId, deletedAt: null, ...(among === undefined ? {} : { id: { in: [...among] } }) },
    select: { id: true },
  });
  return hooks.map(({ id }) => id);
}

/** What is rolled up and what is not must be read at one moment: between two of them a row may go from one to the other. */
async function inOneSnapshot<Result>(
  db: Database,
  read: (tx: Prisma.TransactionClient, countedUntilMs: number | null) => Promise<Result>,
): Promise<Result> {
  return await db.$transaction(
    async (tx) => {
      await walkAlongIndexes(tx);
      const { _max } = await tx.statisticsHour.aggregate({ _max: { countedUntil: true } });
      return await read(tx, _max.countedUntil?.getTime() ?? null);
    },
    { isolationLevel: "RepeatableRead", maxWait: 10_000, timeout: 10_000 },
  );
}

function sumDeliveries(rows: readonly { status: DeliveryStatus; count: number }[]): DeliveryCounts {
  const sums = Object.fromEntries(deliveryStatuses.map((status) => [status, 0])) as Record<
    DeliveryStatus,
    number
  >;
  for (const { status, count } of rows) sums[status] += count;
  return sums;
}

function sumRuns(rows: readonly { state: string; count: number }[]): RunCounts {
  const sums: Record<RunOutcome, number> = { succeeded: 0, failed: 0, open: 0, skipped: 0, cancelled: 0 };
  for (const { state, count } of rows) sums[isOutcome(state) ? state : "open"] += count;
  return sums;
}

function isOutcome(state: string): state is RunOutcome {
  return (runOutcomes as readonly string[]).includes(state);
}

function toRate({ succeeded, failed }: RunCounts): number | null {
  return succeeded + failed === 0 ? null : succeeded / (succeeded + failed);
}
