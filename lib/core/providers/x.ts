import { challenge } from "./shapes/handshakes.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inQuery } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** `sha256=` is followed by base64. */
export const x: Provider = {
  id: "x",
  name: "X (Twitter)",
  scheme: bodyMac("x-twitter-webhooks-signature", { prefix: "sha256=", encoding: "base64" }),
  eventId: [byContent],
  identity: {
    why: "Events have no id in common, but those of their posts or messages and times to the millisecond.",
    source: null,
  },
  eventType: [],
  secretHelp: "The app's API key secret (consumer secret).",
  whereToPaste:
    "Register the catch URL with POST /2/webhooks; Keys and tokens shows the API key secret.",
  docsUrl: "https://docs.x.com/x-api/webhooks/quickstart",
  proof: { describedBy: "provider" },
  /** Requested at registration and every hour: one wrong response stops all deliveries. */
  handshakes: [
    {
      name: "challenge-response check",
      methods: ["GET"],
      when: [inQuery("crc_token")],
      proof: "none",
      reply: {
        kind: "respond",
        challenge: inQuery("crc_token"),
        body: {
          type: "json",
          fields: {
            response_token: ["sha256=", { hmac: "sha256", encoding: "base64", of: [challenge] }],
          },
        },
      },
    },
  ],
};
