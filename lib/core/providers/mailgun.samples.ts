import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const recipient = "jenny.rosen@example.com";

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads */
export const mailgunSamples: SampleEvents = [
  { type: "delivered", make: (fresh) => mailgunEvent(fresh, "delivered") },
  { type: "failed", make: (fresh) => mailgunEvent(fresh, "failed") },
];

function mailgunEvent(fresh: Fresh, event: string): SampleContent {
  const isFailed = event === "failed";
  return {
    json: {
      signature: { token: fresh.hex(50), timestamp: String(fresh.seconds) },
      "event-data": {
        id: fresh.text(22),
        timestamp: fresh.nowMs / 1000,
        event,
        "log-level": isFailed ? "error" : "info",
        ...(isFailed ? { severity: "permanent", reason: "suppress-bounce" } : {}),
        "delivery-status": isFailed
          ? {
              code: 605,
              message: "",
              description: "Not delivering to previously bounced address",
              "attempt-no": 1,
            }
          : {
              code: 250,
              message: "OK",
              tls: true,
              "mx-host": "mail.example.com",
              "session-seconds": 0.43,
              "attempt-no": 1,
            },
        envelope: {
          transport: "smtp",
          sender: "shop@example.com",
          targets: recipient,
          "sending-ip": "192.0.2.20",
        },
        flags: {
          "is-routed": false,
          "is-authenticated": true,
          "is-system-test": false,
          "is-test-mode": false,
        },
        message: {
          headers: {
            to: `Jenny Rosen <${recipient}>`,
            from: "Shop <shop@example.com>",
            subject: "Your order 1042",
            "message-id": `${fresh.text(20)}@example.com`,
          },
          attachments: [],
          size: 5_121,
        },
        recipient,
        "recipient-domain": "example.com",
        campaigns: [],
        tags: ["receipt"],
        "user-variables": { order_id: "1042" },
      },
    },
  };
}
