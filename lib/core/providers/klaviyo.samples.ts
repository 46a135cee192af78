import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.klaviyo.com/en/docs/system-webhooks */
export const klaviyoSamples: SampleEvents = [{ type: "event:klaviyo.opened_email", make: opened }];

function opened(fresh: Fresh): SampleContent {
  const json = {
    data: [
      {
        external_id: fresh.text(11),
        topic: "event:klaviyo.opened_email",
        payload: {
          data: {
            type: "event",
            id: fresh.text(11),
            attributes: {
              timestamp: fresh.seconds,
              event_properties: { Subject: "Your order 1042", "Campaign Name": "Orders" },
              datetime: fresh.isoSeconds,
            },
          },
        },
      },
    ],
    meta: { timestamp: fresh.isoSeconds, klaviyo_webhook_id: "01HEXAMPLE", version: "2024-07-15" },
  };
  return { headers: { "klaviyo-timestamp": new Date(fresh.nowMs).toUTCString() }, json };
}
