import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.etsy.com/documentation/essentials/webhooks */
export const etsySamples: SampleEvents = [
  { type: "order.paid", make: (fresh) => order("order.paid", fresh) },
  { type: "order.shipped", make: (fresh) => order("order.shipped", fresh) },
];

function order(eventType: string, fresh: Fresh): SampleContent {
  const receipt = fresh.digits(10);
  return {
    json: {
      event_type: eventType,
      resource_url: `https://api.etsy.com/v3/application/shops/12345/receipts/${receipt}`,
      shop_id: "12345",
    },
  };
}
