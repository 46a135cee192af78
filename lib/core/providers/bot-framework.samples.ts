import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/**
 * https://learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference
 */
export const botFrameworkSamples: SampleEvents = [
  { type: "message", make: (fresh) => activity("message", String(fresh.digits(13)), fresh.iso) },
];

function activity(type: string, id: string, timestamp: string): SampleContent {
  return {
    json: {
      type,
      id,
      timestamp,
      serviceUrl: "https://smba.trafficmanager.net/emea/",
      channelId: "msteams",
      from: { id: "29:1example", name: "Jenny Rosen" },
      conversation: { conversationType: "personal", id: "a:1example" },
      recipient: { id: "28:bot", name: "Orders" },
      text: "Where is my order?",
    },
  };
}
