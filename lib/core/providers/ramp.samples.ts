import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.ramp.com/developer-api/v1/webhooks */
export const rampSamples: SampleEvents = [
  {
    type: "transactions.cleared",
    make: (fresh) => ({ json: rampEvent(fresh, "transactions.cleared") }),
  },
  { type: "bills.paid", make: (fresh) => ({ json: rampEvent(fresh, "bills.paid") }) },
];

function rampEvent(fresh: Fresh, type: string): object {
  return {
    id: fresh.uuid(),
    type,
    created_at: fresh.isoSeconds,
    business_id: "945c7d8f-6c35-4d63-9c1c-79e67c9cee73",
    object: { id: "3aa9eed1-c793-4b52-a502-e7f2a7e4c1b2" },
  };
}
