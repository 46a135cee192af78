import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

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
