import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.flutterwave.com/docs/webhooks */
export const flutterwaveSamples: SampleEvents = [
  { type: "charge.completed", make: (fresh) => charge(fresh, "succeeded") },
];

function charge(fresh: Fresh, status: string): SampleContent {
  return {
    json: {
      webhook_id: `wbk_${fresh.text(20)}`,
      timestamp: fresh.nowMs,
      type: "charge.completed",
      data: {
        id: "chg_example",
        amount: 42,
        currency: "NGN",
        reference: "order-1042",
        status,
        created_datetime: fresh.nowMs / 1000,
      },
    },
  };
}
