import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.worldpay.com/products/access/events/ */
export const worldpaySamples: SampleEvents = [
  { type: "authorized", make: (fresh) => payment(fresh, "authorized") },
  { type: "refunded", make: (fresh) => payment(fresh, "refunded") },
];

function payment(fresh: Fresh, type: string): SampleContent {
  return {
    json: {
      eventId: fresh.uuid(),
      eventTimestamp: fresh.iso,
      eventDetails: {
        classification: "payment",
        transactionReference: "order-1042",
        type,
        amount: { value: 4200, currency: "GBP" },
      },
    },
  };
}
