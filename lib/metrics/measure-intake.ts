import { requestCaught } from "#lib/catch/caught-signal.ts";
import { requestPublished } from "#lib/publish/published-signal.ts";
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
