import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.commercelayer.io/core/real-time-webhooks */
export const commerceLayerSamples: SampleEvents = [
  { type: "orders.place", make: (fresh) => order(fresh, fresh.text(10), "orders.place") },
  { type: "orders.approve", make: (fresh) => order(fresh, fresh.text(10), "orders.approve") },
];

function order(fresh: Fresh, id: string, topic: string): SampleContent {
  return {
    headers: { "x-commercelayer-topic": topic },
    json: {
      data: {
        id,
        type: "orders",
        attributes: { number: 1042, status: "placed", updated_at: fresh.iso },
      },
    },
  };
}
