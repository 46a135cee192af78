import { requestCaught } from "#lib/catch/caught-signal.ts";
import { requestPublished } from "#lib/publish/published-signal.ts";
import type { SpoolingStore } from "#lib/spool/spooling-store.ts";
import type { Meter } from "./meter.ts";

/** Deliveries and published events. */
export function measureIntake(meter: Meter): void {
  const requests = meter.counter("catchment_catch_requests_total");
  const stored = meter.histogram("catchment_store_seconds");
  requestCaught.listen(({ caught: { result }, storedMs }) => {
    const { outcome } = result;
    requests(1, outcome, outcome === "rejected" ? result.code : "");
    if (outcome === "accepted" || outcome === "duplicate")
      stored.observe(storedMs / 1_000, outcome);
  });
  const publishes = meter.counter("catchment_publish_requests_total");
  const events = meter.counter("catchment_published_events_total");
  const published = meter.histogram("catchment_publish_seconds");
  requestPublished.listen(({ published: { response, eventIds }, durationMs }) => {
    publishes(1, String(response.status));
    if (eventIds.length === 0) return;
    events(eventIds.length);
    published.observe(durationMs / 1_000);
  });
}

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
