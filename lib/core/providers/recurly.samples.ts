import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.recurly.com/recurly-subscriptions/docs/overview-webhooks */
export const recurlySamples: SampleEvents = [
  { type: "created", make: (fresh) => ({ json: recurlyEvent(fresh, "account", "created") }) },
  { type: "succeeded", make: (fresh) => ({ json: recurlyEvent(fresh, "payment", "succeeded") }) },
];

function recurlyEvent(fresh: Fresh, object: string, type: string): object {
  return {
    id: fresh.text(16),
    object_type: object,
    site_id: fresh.text(12),
    event_type: type,
    event_time: fresh.isoSeconds,
    account_code: "order-1042",
  };
}

/** Two events about the same object. */
export const recurlyConsecutive: Consecutive = (fresh) => ({
  two: [
    { json: { ...recurlyEvent(fresh, "subscription", "updated"), id: "sub_1" } },
    { json: { ...recurlyEvent(fresh, "subscription", "canceled"), id: "sub_1" } },
  ],
});
