import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://open.larkoffice.com/document/ukTMukTMukTM/uYDNxYjL2QTM24iN0EjN */
export const larkSamples: SampleEvents = [
  { type: "im.message.receive_v1", make: (fresh) => message(fresh) },
];

function message(fresh: Fresh): SampleContent {
  return {
    json: {
      schema: "2.0",
      header: {
        event_id: fresh.hex(32),
        event_type: "im.message.receive_v1",
        create_time: String(fresh.nowMs),
        app_id: "cli_a1b2c3d4e5f60708",
        tenant_key: "2ca1d211f64f6438",
      },
      event: {
        sender: { sender_id: { open_id: "ou_example" }, sender_type: "user" },
        message: {
          message_id: "om_example",
          chat_id: "oc_example",
          message_type: "text",
          content: JSON.stringify({ text: "hello" }),
        },
      },
    },
  };
}
