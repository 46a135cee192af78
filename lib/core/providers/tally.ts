import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const tally: Provider = {
  id: "tally",
  name: "Tally",
  scheme: bodyMac("tally-signature", { encoding: "base64" }),
  eventId: [inBody("eventId")],
  identity: {
    why: "Each event has an eventId of its own, which Tally keeps on every attempt.",
    source: "https://tally.so/help/webhooks",
  },
  eventType: [inBody("eventType")],
  secretHelp:
    "The signing secret that you typed for the webhook, or that Tally generated, used as text.",
  isSecretChosen: true,
  whereToPaste:
    "Your form → Integrations → Webhooks → Connect: paste the catch URL and " +
    "add a signing secret. Without one Tally does not sign.",
  docsUrl: "https://tally.so/help/webhooks",
  proof: { describedBy: "others" },
  respondWithinSeconds: 10,
  marks: {
    body: [
      {
        path: "eventType",
        is: /^FORM_RESPONSE$/,
        why: "its eventType is FORM_RESPONSE, as Tally's are",
      },
    ],
  },
};
