import type { Handshake } from "#lib/core/verify/handshake/handshake.ts";
import { challenge } from "./shapes/handshakes.ts";
import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const smartcar: Provider = {
  id: "smartcar",
  name: "Smartcar",
  scheme: bodyMac("sc-signature"),
  eventId: [inBody("eventId")],
  identity: {
    why: "Each event has an eventId of its own. deliveryId changes with each try.",
    source: "https://smartcar.com/docs/integrations/webhooks/overview",
  },
  eventType: [inBody("eventType"), inBody("eventName")],
  secretHelp: "The Application Management Token. Not the client secret.",
  whereToPaste:
    "Save the token in the hook first: Smartcar asks for a proof of it. " +
    "Then Dashboard → Integrations → Webhook: paste the catch URL; " +
    "Configuration shows the Application Management Token.",
  docsUrl: "https://smartcar.com/docs/integrations/webhooks/callback-verification",
  proof: { package: "smartcar", describedBy: "provider" },
  handshakes: [
    verify("VERIFY", "eventType", "data.challenge"),
    /** Webhooks of version 2. */
    verify("verify", "eventName", "payload.challenge"),
  ],
  respondWithinSeconds: 15,
};

function verify(event: string, path: string, challengePath: string): Handshake {
  return {
    name: `${event} event`,
    methods: ["POST"],
    when: [{ ...inBody(path), equals: event }],
    proof: "none",
    reply: {
      kind: "respond",
      challenge: inBody(challengePath),
      body: {
        type: "json",
        fields: { challenge: [{ hmac: "sha256", encoding: "hex", of: [challenge] }] },
      },
    },
  };
}
