import { waitPercentile } from "#lib/core/watch/wait-histogram.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { walkAlongIndexes } from "#lib/db/postgres/plan-settings.ts";
import { readCountedDays } from "#lib/db/statistics/statistics-days.ts";
import {
  deliveryCounts,
  hourMs,
  runCounts,
  toHour,
  waitCounts,
} from "#lib/db/statistics/statistics-hours.ts";
import { type EndedRunState, endedRunStates } from "#lib/schema/act/run-states.ts";
import { type DeliveryStatus, deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import { findLastDeliveries, type LastDelivery } from "./overview.ts";

type DeliveryCounts = Readonly<Record<DeliveryStatus, number>>;
/**
 * Run counts by the outcome in the queue. The last attempt of a `retrying` run failed. An `open`
 * run waits for its first attempt or has it in flight.
 */
export type RunCounts = Readonly<Record<RunOutcome, number>>;
type RunOutcome = EndedRunState | "retrying" | "open";
const runOutcomes: readonly RunOutcome[] = ["open", "retrying", ...endedRunStates];

export type HookStatistics = {
  /** The last 24 hours, oldest first, ending with the current hour. `startMs` is Unix time. */
  readonly hours: readonly { readonly startMs: number; readonly deliveries: DeliveryCounts }[];
  /** Deliveries of the last 24 hours. */
  readonly deliveries: DeliveryCounts;
  /** Runs of deliveries from the last 24 hours. */
  readonly runs: RunCounts;
  /**
   * The share of successful runs among those whose last attempt has ended, from 0 to 1. Null if
   * there are none. A retrying run counts as failed until it succeeds, so that failures show at
   * once, not a day later after the last attempt.
   */
  readonly successRate: number | null;
  /** The last delivery, of any time. */
  readonly last: LastDelivery | null;
};

/**
 * The last 24 hours of each of these hooks, at a cost that doesn't grow with the number of
 * deliveries: rolled-up rows, plus the last minutes from an index. Hooks of other accounts have no
 * entry.
 */
export async function readHookStatistics(
  db: Database,
  accountId: string,
  hookIds: readonly string[],
): Promise<ReadonlyMap<string, HookStatistics>> {
  return readHooks(db, accountId, hookIds, Prisma.sql`hour`);
}

export type HookTotals = Omit<HookStatistics, "hours">;

/** The same without the hours, for hundreds of hooks. */
export async function readHookTotals(
  db: Database,
  accountId: string,
  hookIds: readonly string[],
): Promise<ReadonlyMap<string, HookTotals>> {
  return readHooks(db, accountId, hookIds, Prisma.sql`null::timestamptz as hour`);
}

async function readHooks(
  db: Database,
  accountId: string,
  hookIds: readonly string[],
  hour: Prisma.Sql,
): Promise<ReadonlyMap<string, HookStatistics>> {
  const nowMs = Date.now();
  const fromMs = toHour(nowMs) - 23 * hourMs;
  const owned = await listLiveHooks(db, accountId, hookIds);
  const last = await findLastDeliveries(db, accountId, owned);
  const [deliveries, runs] = await inOneSnapshot(db, async (tx, countedUntilMs) => {
    const hours = { accountId, hookIds: owned, fromMs, countedUntilMs, nowMs };
    return [
      await tx.$queryRaw<(HookRow & { hour: Date | null; status: DeliveryStatus })[]>`
        with ${deliveryCounts(hours)} select hook_id, ${hour}, status, sum(count::float8) as count from counted group by 1, 2, 3`,
      await tx.$queryRaw<(HookRow & { state: string })[]>`
        with recursive ${runCounts(hours)} select hook_id, state, sum(count::float8) as count from counted group by 1, 2`,
    ] as const;
  });
  const deliveriesOf = Map.groupBy(deliveries, ({ hook_id }) => hook_id);
  const runsOf = Map.groupBy(runs, ({ hook_id }) => hook_id);
  return new Map(
    owned.map((id) => {
      const ofHook = deliveriesOf.get(id) ?? [];
      const byHour = Map.groupBy(ofHook, (row) => row.hour?.getTime());
      const sums = sumRuns(runsOf.get(id) ?? []);
      const hours = Array.from({ length: 24 }, (_, at) => fromMs + at * hourMs).map((startMs) => ({
        startMs,
        deliveries: sumDeliveries(byHour.get(startMs) ?? []),
      }));
      const statistics = {
        hours,
        deliveries: sumDeliveries(ofHook),
        runs: sums,
        successRate: toRate(sums),
      };
      return [id, { ...statistics, last: last.get(id) ?? null }];
    }),
  );
}

/**
 * Counts runs of the last 24 hours' deliveries by action of a hook. An action without any has no
 * entry.
 */
export async function readActionStatistics(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<ReadonlyMap<string, RunCounts>> {
  const nowMs = Date.now();
  const fromMs = toHour(nowMs) - 23 * hourMs;
  const hookIds = await listLiveHooks(db, accountId, [hookId]);
  const rows = await inOneSnapshot(db, async (tx, countedUntilMs) => {
    const hours = { accountId, hookIds, fromMs, countedUntilMs, nowMs };
    return await tx.$queryRaw<TargetRow[]>`
      with recursive ${runCounts(hours)} select target_id, state, sum(count)::float8 as count from counted group by 1, 2`;
  });
  return sumByTarget(rows);
}

export type AccountStatistics = {
  /** Buckets, oldest first. The last one contains the current time. */
  readonly buckets: readonly {
    readonly startMs: number;
    readonly deliveries: DeliveryCounts;
    readonly runs: RunCounts;
  }[];
  readonly deliveries: DeliveryCounts;
  readonly runs: RunCounts;
  readonly successRate: number | null;
  /**
   * The time from the arrival of a delivery to the start of its first call, in milliseconds. Null
   * if nothing was called.
   */
  readonly wait: { readonly p50Ms: number; readonly p95Ms: number } | null;
};

/**
 * An account's deliveries and runs since `fromMs` (Unix time, the start of an hour), in buckets of
 * whole hours.
 */
export async function readAccountStatistics(
  db: Database,
  accountId: string,
  {
    fromMs,
    bucketMs,
    nowMs,
  }: { readonly fromMs: number; readonly bucketMs: number; readonly nowMs: number },
): Promise<AccountStatistics> {
  const hookIds = await listLiveHooks(db, accountId);
  // `extract` would calculate with decimals, which takes most of the time of 30 days.
  const bucket = Prisma.sql`floor((date_part('epoch', hour) * 1000 - ${fromMs}::float8) / ${bucketMs}::float8)::int as bucket`;
  const rows = await inOneSnapshot(db, async (tx, countedUntilMs) => {
    const span = { accountId, hookIds, fromMs, countedUntilMs, nowMs };
    const isDays = bucketMs % (24 * hourMs) === 0;
    const hours = isDays ? { ...span, counted: await readCountedDays(tx, span) } : span;
    return {
      deliveries: await tx.$queryRaw<DeliveryRow[]>`
        with ${deliveryCounts(hours)}
        select ${bucket}, status, sum(count::float8) as count from counted group by 1, 2`,
      runs: await tx.$queryRaw<RunRow[]>`
        with recursive ${runCounts(hours)}
        select ${bucket}, state, sum(count::float8) as count from counted group by 1, 2`,
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
  };
}

type HookRow = { hook_id: string; count: number };
type DeliveryRow = { bucket: number; status: DeliveryStatus; count: number };
type RunRow = { bucket: number; state: string; count: number };
type TargetRow = { target_id: string; state: string; count: number };

/** Lists hooks that are not deleted. */
export async function listLiveHooks(
  db: Database,
  accountId: string,
  among?: readonly string[],
): Promise<readonly string[]> {
  // Prisma would make a statement with a parameter for each of hundreds of ids.
  const wanted =
    among === undefined ? Prisma.empty : Prisma.sql`and id = any (${[...among]}::uuid[])`;
  const hooks = await db.$queryRaw<{ id: string }[]>`
    select id from hooks where account_id = ${accountId}::uuid and deleted_at is null ${wanted}`;
  return hooks.map(({ id }) => id);
}

/**
 * Rolled-up and other rows must be read at one moment: a row may move from one to the other between
 * two reads.
 */
export async function inOneSnapshot<Result>(
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

export function sumRuns(rows: readonly { state: string; count: number }[]): RunCounts {
  const sums = Object.fromEntries(runOutcomes.map((outcome) => [outcome, 0])) as Record<
    RunOutcome,
    number
  >;
  for (const { state, count } of rows) sums[isOutcome(state) ? state : "open"] += count;
  return sums;
}

function sumByTarget(rows: readonly TargetRow[]): ReadonlyMap<string, RunCounts> {
  const byTarget = Map.groupBy(rows, ({ target_id }) => target_id);
  return new Map(Array.from(byTarget, ([id, ofTarget]) => [id, sumRuns(ofTarget)]));
}

function isOutcome(state: string): state is RunOutcome {
  return (runOutcomes as readonly string[]).includes(state);
}

/** The deliveries of these counts. A batch's events are counted themselves. */
export function sumEvents({
  accepted,
  duplicate,
  rejected,
  pending,
  handshake,
}: DeliveryCounts): number {
  return accepted + duplicate + rejected + pending + handshake;
}

export function toRate({ succeeded, failed, retrying }: RunCounts): number | null {
  const tried = succeeded + failed + retrying;
  return tried === 0 ? null : succeeded / tried;
}
