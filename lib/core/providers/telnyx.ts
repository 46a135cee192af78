import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const telnyx: Provider = {
  id: "telnyx",
  name: "Telnyx",
  scheme: {
    kind: "publicKey",
    algorithm: "ed25519",
    encoding: "base64",
    signature: {
      sources: [{ from: "header", name: "telnyx-signature-ed25519" }],
      format: { type: "bare" },
    },
    signed: { template: "{timestamp}|{body}" },
    secret: { decode: "base64" },
    timestamp: {
      source: { from: "header", name: "telnyx-timestamp" },
      unit: "s",
      pastSeconds: 300,
      futureSeconds: 300,
    },
  },
  eventId: [inBody("data.id")],
  identity: {
    why: "data.id is that of the event; meta.attempt counts the tries.",
    source: "https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks",
  },
  eventType: [inBody("data.event_type")],
  secretHelp: "The account's public key: base64 of 32 bytes. It is public and no API key.",
  whereToPaste:
    "Mission Control Portal → the connection or messaging profile: paste the " +
    "catch URL; Keys & Credentials → Public Key shows the key.",
  docsUrl: "https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks",
  proof: { describedBy: "provider" },
};
