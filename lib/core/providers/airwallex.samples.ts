import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://www.airwallex.com/docs/developer-tools/webhooks/listen-for-webhook-events */
export const airwallexSamples: SampleEvents = [
  { type: "payment_intent.succeeded", make: (fresh) => paymentIntent(fresh, "succeeded") },
  { type: "payment_intent.created", make: (fresh) => paymentIntent(fresh, "created") },
];

function paymentIntent(fresh: Fresh, what: "created" | "succeeded"): SampleContent {
  return {
    json: {
      id: `evt_${fresh.text(22)}`,
      name: `payment_intent.${what}`,
      account_id: `acct_${fresh.text(22)}`,
      created_at: fresh.iso,
      data: {
        object: {
          id: "int_example",
          request_id: fresh.uuid(),
          merchant_order_id: "1042",
          amount: 42,
          currency: "USD",
          captured_amount: what === "succeeded" ? 42 : 0,
          status: what === "succeeded" ? "SUCCEEDED" : "REQUIRES_PAYMENT_METHOD",
          created_at: fresh.iso,
          updated_at: fresh.iso,
        },
      },
      version: "2024-08-07",
    },
  };
}
