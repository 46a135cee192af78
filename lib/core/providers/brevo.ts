import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const brevo: Provider = {
  id: "brevo",
  name: "Brevo",
  scheme: { kind: "bearer" },
  eventId: [byContent],
  identity: {
    why: "The id in the body is that of the webhook. Message, event, and ts_event in the body tell events apart.",
    source: null,
  },
  eventType: [inBody("event")],
  secretHelp: "The token alone, without the word Bearer.",
  isSecretChosen: true,
  whereToPaste:
    "Transactional → Settings → Webhook → Add: paste the catch URL " +
    "and choose token authentication. Brevo doesn't sign.",
  docsUrl: "https://developers.brevo.com/docs/how-to-use-webhooks",
  proof: { describedBy: "others" },
  marks: {
    body: [
      { path: "message-id", is: /^<.+@.+>$/, why: "its body has a message-id" },
      { path: "ts_event", is: /^\d{10}$/, why: "its body has a ts_event as Brevo's have" },
      { path: "camp_id", is: /^\d+$/, why: "its body has a camp_id as Brevo's have" },
    ],
  },
};
