import { challenge } from "./shapes/handshakes.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * RingCentral doesn't sign. Subscriptions from before the verification token repeat a
 * Validation-Token with each event, so the header alone isn't a handshake.
 */
export const ringcentral: Provider = {
  id: "ringcentral",
  name: "RingCentral",
  scheme: { kind: "token", source: { from: "header", name: "verification-token" } },
  eventId: [inBody("uuid")],
  identity: {
    why: "Each event has a uuid of its own.",
    source: "https://developers.ringcentral.com/guide/notifications/webhooks/receiving",
  },
  eventType: [inBody("event")],
  secretHelp: "The verificationToken that you gave when you made the subscription.",
  isSecretChosen: true,
  whereToPaste:
    "Create the subscription over the API (POST /restapi/v1.0/subscription) with the catch " +
    "URL as deliveryMode.address and a deliveryMode.verificationToken of your own.",
  docsUrl: "https://developers.ringcentral.com/guide/notifications/webhooks/creating-webhooks",
  proof: { describedBy: "provider" },
  handshakes: [
    {
      name: "Validation-Token",
      methods: ["POST"],
      when: [inHeader("validation-token"), { ...inBody("uuid"), isAbsent: true }],
      proof: "none",
      reply: {
        kind: "respond",
        challenge: inHeader("validation-token"),
        headers: { "validation-token": [challenge] },
      },
    },
  ],
  respondWithinSeconds: 3,
  marks: { userAgent: /^RingCentral-Web[Hh]ook\// },
};
