import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://partner.tiktokshop.com/docv2/page/tts-webhooks-overview */
export const tiktokShopSamples: SampleEvents = [
  { type: "1", make: (fresh) => ({ json: orderStatus(fresh, "AWAITING_SHIPMENT") }) },
];

function orderStatus(fresh: Fresh, status: string): object {
  return {
    type: 1,
    tts_notification_id: `7${fresh.digits(15)}`,
    shop_id: "7494049642642441621",
    timestamp: fresh.seconds,
    data: {
      order_id: "576486316948490001",
      order_status: status,
      is_on_hold_order: false,
      update_time: fresh.seconds,
    },
  };
}
