import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://www.chatwoot.com/hc/user-guide/articles/1677693021-how-to-use-webhooks */
export const chatwootSamples: SampleEvents = [
  { type: "message_created", make: (fresh) => message(fresh, "message_created") },
  { type: "message_updated", make: (fresh) => message(fresh, "message_updated") },
];

function message(fresh: Fresh, event: string): SampleContent {
  return {
    headers: { "x-chatwoot-delivery": fresh.uuid() },
    json: {
      event,
      id: 98,
      content: "Where is my order?",
      created_at: fresh.iso,
      message_type: "incoming",
      content_type: "text",
      sender: { id: 7, name: "Jenny Rosen", email: "jenny.rosen@example.com" },
      conversation: { id: 12, status: "open", channel: "Channel::WebWidget" },
      account: { id: 1, name: "Acme" },
      inbox: { id: 3, name: "Website" },
    },
  };
}
