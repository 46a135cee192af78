import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/**
 * https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/engagement_email_events.html
 */
export const salesforceMarketingCloudSamples: SampleEvents = [
  {
    type: "EngagementEvents.EmailClick",
    make: (fresh) => click(`${fresh.hex(8)}.1.1.0`, fresh.nowMs),
  },
];

function click(compositeId: string, timestampUTC: number): SampleContent {
  const event = {
    eventCategoryType: "EngagementEvents.EmailClick",
    timestampUTC,
    compositeId,
    definitionKey: "order_confirmation",
    mid: 100_001,
    eid: 100_000,
    info: { ipAddress: "203.0.113.7", contentLink: "https://shop.example.com/orders/1042" },
  };
  return { json: [event] };
}
