import type { SpoolingStore } from "#lib/spool/spooling-store.ts";
import type { Meter } from "./meter.ts";

export type MeasuredSpool = Pick<SpoolingStore, "state" | "counts">;

/** The deliveries that wait until the database is back. */
export function measureSpool(meter: Meter, spool: MeasuredSpool): void {
  meter.gauge("catchment_spool_waiting_deliveries", (gauge) => gauge.set(spool.state.deliveries));
  meter.gauge("catchment_spool_waiting_bytes", (gauge) => gauge.set(spool.state.bytes));
  meter.gauge("catchment_spool_limit_bytes", (gauge) => gauge.set(spool.state.maxBytes));
  meter.gauge("catchment_spool_set_aside", (gauge) => gauge.set(spool.state.setAside));
  meter.gauge("catchment_spool_oldest_seconds", (gauge) => {
    const { oldestAtMs } = spool.state;
    gauge.set(oldestAtMs === null ? 0 : Math.max(0, Date.now() - oldestAtMs) / 1_000);
  });
  meter.readCounter("catchment_spool_deliveries_total", (counter) => {
    const { spooled, drained, setAside } = spool.counts;
    counter.inc({ outcome: "spooled" }, spooled);
    counter.inc({ outcome: "drained" }, drained);
    counter.inc({ outcome: "set_aside" }, setAside);
  });
}
