import { type OpenedPool, poolOpened } from "#lib/db/postgres/pool-signal.ts";
import type { Meter } from "./meter.ts";

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
