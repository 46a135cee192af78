import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.shopline.com/docs/apps/api-instructions-for-use/webhooks/overview */
export const shoplineSamples: SampleEvents = [
  { type: "orders/create", make: (fresh) => order(fresh, "orders/create") },
  { type: "orders/update", make: (fresh) => order(fresh, "orders/update") },
];

function order(fresh: Fresh, topic: string): SampleContent {
  return {
    headers: {
      "x-shopline-topic": topic,
      "x-shopline-shop-domain": "acme.myshopline.com",
      "x-shopline-shop-id": "1610418123456",
      "x-shopline-merchant-id": "2000001234",
      "x-shopline-api-version": "v20240601",
      "x-shopline-webhook-id": fresh.hex(24),
    },
    json: { id: "21050000000000000000", name: "D1042", currency: "USD", total_price: "42.00" },
  };
}
