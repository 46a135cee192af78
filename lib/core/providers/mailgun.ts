import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The signature is in the body and covers only a time and a token: it proves the origin, not the
 * content.
 */
export const mailgun: Provider = {
  id: "mailgun",
  name: "Mailgun",
  scheme: {
    ...bodyMac("x"),
    signature: {
      sources: [{ from: "body", path: "signature.signature" }],
      format: { type: "bare" },
    },
    signed: {
      template: "{timestamp}{token}",
      values: { token: { from: "body", path: "signature.token" } },
      bodyNotSigned: true,
    },
    timestamp: {
      source: { from: "body", path: "signature.timestamp" },
      unit: "s",
      pastSeconds: 300,
      futureSeconds: 300,
    },
  },
  eventId: [inBody("event-data.id"), inBody("signature.token")],
  identity: {
    why: "event-data.id is that of the event. Forms have a token that is used once.",
    source: "https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads",
  },
  replay: { isOn: true, why: "a token that is never used twice is signed" },
  eventType: [inBody("event-data.event")],
  secretHelp: "The HTTP webhook signing key of the account. Not an API key.",
  whereToPaste:
    "Sending → Webhooks → Add webhook: paste the catch URL; Settings " +
    "→ API security shows the HTTP webhook signing key.",
  docsUrl: "https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks",
  proof: { describedBy: "provider" },
};
