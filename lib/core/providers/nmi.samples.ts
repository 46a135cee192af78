import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://github.com/hookdeck/webhook-skills/tree/main/skills/nmi-webhooks */
export const nmiSamples: SampleEvents = [
  { type: "transaction.sale.success", make: (fresh) => event(fresh, "transaction.sale.success") },
  {
    type: "transaction.refund.success",
    make: (fresh) => event(fresh, "transaction.refund.success"),
  },
];

function event(fresh: Fresh, eventType: string): SampleContent {
  return {
    json: {
      event_id: fresh.uuid(),
      event_type: eventType,
      event_body: {
        merchant: { id: "1234", name: "Acme" },
        features: { is_test_mode: false },
        transaction_id: "9999999999",
        condition: "pendingsettlement",
        action: { amount: "42.00", action_type: "sale", success: "1" },
      },
    },
  };
}
