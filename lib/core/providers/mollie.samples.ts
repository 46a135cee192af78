import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.mollie.com/reference/webhooks-new */
export const mollieSamples: SampleEvents = [
  { type: "payment-link.paid", make: (fresh) => paid(fresh, `pl_${fresh.text(24)}`) },
];

function paid(fresh: Fresh, entityId: string): SampleContent {
  return {
    json: {
      resource: "event",
      id: `event_${fresh.text(21)}`,
      type: "payment-link.paid",
      entityId,
      createdAt: fresh.iso,
      _embedded: {
        entity: {
          resource: "payment-link",
          id: entityId,
          mode: "live",
          description: "Order 1042",
          amount: { value: "42.00", currency: "EUR" },
        },
      },
    },
  };
}
