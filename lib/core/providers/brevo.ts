import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const brevo: Provider = {
  id: "brevo",
  name: "Brevo",
  scheme: { kind: "bearer" },
  eventId: [byContent],
  identity: {
    why: "The id in the body is that of the webhook. Message, event, and ts_event in the body tell events apart.",
  },
  eventType: [inBody("event")],
  secretHelp: "The token alone, without the word Bearer.",
  isSecretChosen: true,
  whereToPaste:
    "Transactional → Settings → Webhook → Add: paste the catch URL and choose token authentication. Brevo doesn't sign.",
  docsUrl: "https://developers.brevo.com/docs/how-to-use-webhooks",
  proof: { describedBy: "others" },
};
