import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://api-docs.solidgate.com/api/openapi/main/md/webhook-signatures */
export const solidgateSamples: SampleEvents = [
  { type: "card_gate.order.updated", make: (fresh) => order(fresh, "settle_ok") },
];

function order(fresh: Fresh, status: string): SampleContent {
  return {
    headers: {
      "solidgate-event-id": fresh.uuid(),
      "solidgate-event-type": "card_gate.order.updated",
      "solidgate-event-created-at": fresh.iso,
    },
    json: {
      order: { order_id: "order-1042", status, amount: 4200, currency: "USD" },
      transactions: {},
    },
  };
}
