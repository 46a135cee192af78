import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.flutterwave.com/docs/webhooks */
export const flutterwaveV3Samples: SampleEvents = [
  { type: "charge.completed", make: (fresh) => charge(fresh, "successful") },
];

function charge(fresh: Fresh, status: string): SampleContent {
  return {
    json: {
      event: "charge.completed",
      data: {
        id: fresh.digits(9),
        tx_ref: "order-1042",
        flw_ref: `FLW-MOCK-${fresh.hex(32)}`,
        amount: 42,
        currency: "NGN",
        charged_amount: 42,
        status,
        payment_type: "card",
        created_at: fresh.iso,
      },
    },
  };
}
