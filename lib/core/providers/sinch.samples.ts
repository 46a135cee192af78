import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.sinch.com/docs/conversation/callbacks */
export const sinchSamples: SampleEvents = [
  { type: "message_delivery_report", make: (fresh) => report(fresh, fresh.text(26), "DELIVERED") },
];

function report(fresh: Fresh, messageId: string, status: string): SampleContent {
  return {
    json: {
      app_id: "01EXAMPLE",
      accepted_time: fresh.iso,
      event_time: fresh.iso,
      project_id: "e1f6e8b2-1f0c-4b8c-9d53-2f5f0a8d2f10",
      message_delivery_report: {
        message_id: messageId,
        conversation_id: "01CONVERSATION",
        status,
        contact_id: "01CONTACT",
      },
      message_metadata: "",
    },
  };
}
