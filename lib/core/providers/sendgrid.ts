import { eventsAt } from "./shapes/events-at.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { signedBy } from "./shapes/public-key.ts";

/** The body ends with CRLF, which is signed too. */
export const sendgrid: Provider = {
  id: "sendgrid",
  name: "Twilio SendGrid (Event Webhook)",
  scheme: signedBy("ecdsa-p256-sha256", "base64", "x-twilio-email-event-webhook-signature", {
    template: "{timestamp}{body}",
    time: "x-twilio-email-event-webhook-timestamp",
  }),
  eventId: [byContent],
  identity: {
    why: "Each event of the list has its own sg_event_id.",
    source: "https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event",
  },
  eventType: [inBody("0.event")],
  batch: eventsAt("", { eventId: [["sg_event_id"]], eventType: [["event"]] }),
  secretHelp: "The Verification Key of the webhook: base64, starting with MFkw.",
  whereToPaste:
    "Settings → Mail Settings → Event Webhooks: paste the catch URL, switch " +
    "Signed Event Webhook on and copy the Verification Key.",
  docsUrl:
    "https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features",
  proof: { package: "@sendgrid/eventwebhook", examples: 2, describedBy: "provider" },
  secretStartsWith: "MFkw",
  listing: { group: "used", place: 9 },
  marks: {
    userAgent: /^SendGrid/,
    body: [{ path: "0.sg_event_id", is: /./, why: "its events have an sg_event_id" }],
  },
};
