import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.getrecharge.com/docs/webhooks-overview */
export const rechargeSamples: SampleEvents = [
  {
    type: "subscription/created",
    make: (fresh) => subscription(fresh, "subscription/created", "active"),
  },
  {
    type: "subscription/cancelled",
    make: (fresh) => subscription(fresh, "subscription/cancelled", "cancelled"),
  },
];

function subscription(fresh: Fresh, topic: string, status: string): SampleContent {
  return {
    headers: { "x-recharge-topic": topic },
    json: {
      subscription: {
        id: fresh.digits(9),
        address_id: fresh.digits(9),
        customer_id: fresh.digits(8),
        created_at: fresh.iso.slice(0, 19),
        updated_at: fresh.iso.slice(0, 19),
        product_title: "Coffee, 500 g",
        price: "16.00",
        presentment_currency: "USD",
        quantity: 1,
        order_interval_frequency: "1",
        order_interval_unit: "month",
        status,
      },
    },
  };
}
