import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://segment.com/docs/connections/spec/ */
export const segmentSamples: SampleEvents = [
  { type: "Order Completed", make: (fresh) => ({ json: track(fresh, "Order Completed") }) },
  {
    type: "identify",
    make: (fresh) => ({
      json: {
        type: "identify",
        messageId: `ajs-next-${fresh.nowMs}-${fresh.uuid()}`,
        userId: "order-1042",
        traits: { email: "jenny.rosen@example.com" },
        timestamp: fresh.iso,
      },
    }),
  },
];

function track(fresh: Fresh, event: string): object {
  return {
    type: "track",
    event,
    messageId: `ajs-next-${fresh.nowMs}-${fresh.uuid()}`,
    userId: "order-1042",
    properties: { order_id: "1042", revenue: 42, currency: "USD" },
    context: { library: { name: "analytics.js", version: "next-1.70.0" } },
    timestamp: fresh.iso,
    receivedAt: fresh.iso,
  };
}
