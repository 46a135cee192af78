import { readDatabaseSize } from "#lib/db/postgres/partitions/database-size.ts";
import { type OpenedPool, poolOpened } from "#lib/db/postgres/pool-signal.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { readQueueDepth } from "#lib/db/queue/queue-depth.ts";
import type { Meter } from "./meter.ts";

export type MeasuredDatabase = {
  readonly db: SqlStatements;
  readonly retentionDays: number;
  readonly now: () => number;
};

const queueFreshMs = 5_000;
const sizeFreshMs = 60_000;
const dayMs = 86_400_000;

/**
 * The queue, the size of the database, and its oldest deliveries. Read only at a scrape, and
 * kept for a while, so that several scrapers cost no more than one.
 */
export function measureDatabase(meter: Meter, { db, retentionDays, now }: MeasuredDatabase): void {
  const readQueue = keepFor(queueFreshMs, now, () => readQueueDepth(db));
  const readSize = keepFor(sizeFreshMs, now, () => readDatabaseSize(db));
  meter.gauge("catchment_database_up", async (gauge) => {
    gauge.set((await readQueue()) === null ? 0 : 1);
  });
  meter.gauge("catchment_queue_runs", async (gauge) => {
    const depth = await readQueue();
    gauge.reset();
    if (depth === null) return;
    for (const state of ["due", "scheduled", "leased"] as const) gauge.set({ state }, depth[state]);
  });
  meter.gauge("catchment_queue_oldest_due_seconds", async (gauge) => {
    const depth = await readQueue();
    if (depth === null) gauge.remove();
    else gauge.set(depth.oldestDueSeconds);
  });
  meter.gauge("catchment_database_bytes", async (gauge) => {
    const size = await readSize();
    if (size === null) gauge.remove();
    else gauge.set(size.bytes);
  });
  meter.gauge("catchment_oldest_delivery_seconds", async (gauge) => {
    const size = await readSize();
    if (size === null || size.firstWeekMs === null) gauge.remove();
    else gauge.set(Math.max(0, now() - size.firstWeekMs) / 1_000);
  });
  meter.gauge("catchment_retention_seconds", (gauge) => gauge.set((retentionDays * dayMs) / 1_000));
}

/** Null: it can't be read now. One read at a time, however many ask. */
function keepFor<Value>(
  freshMs: number,
  now: () => number,
  read: () => Promise<Value>,
): () => Promise<Value | null> {
  let last: { readonly value: Promise<Value | null>; readonly atMs: number } | undefined;
  return () => {
    if (last === undefined || now() - last.atMs > freshMs)
      last = { value: read().catch(() => null), atMs: now() };
    return last.value;
  };
}

/** The connections of the pools that this process opens from now on. */
export function measurePools(meter: Meter): void {
  const pools = new Map<string, OpenedPool["counts"]>();
  poolOpened.listen(({ name, counts }) => pools.set(name, counts));
  meter.gauge("catchment_pool_connections", (gauge) => {
    for (const [pool, { totalCount, idleCount }] of pools) {
      gauge.set({ pool, state: "busy" }, totalCount - idleCount);
      gauge.set({ pool, state: "idle" }, idleCount);
    }
  });
  meter.gauge("catchment_pool_waiting", (gauge) => {
    for (const [pool, { waitingCount }] of pools) gauge.set({ pool }, waitingCount);
  });
}
