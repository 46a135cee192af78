import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.klaviyo.com/en/docs/system-webhooks */
export const klaviyoSamples: SampleEvents = [
  { type: "event:klaviyo.opened_email", make: (fresh) => ({ json: opened(fresh) }) },
];

function opened(fresh: Fresh): object {
  return {
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
}

/** Two events about the same object. */
export const klaviyoConsecutive: Consecutive = (fresh) => ({
  two: [{ json: opened(fresh) }, { json: opened(fresh) }],
});
