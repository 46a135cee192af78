import { inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { signedBy, withId } from "./shapes/public-key.ts";

export const kick: Provider = {
  id: "kick",
  name: "Kick",
  scheme: withId(
    signedBy("rsa-sha256", "base64", "kick-event-signature", {
      template: "{id}.{timestamp}.{body}",
      time: "kick-event-message-timestamp",
      unit: "rfc3339",
    }),
    "kick-event-message-id",
  ),
  eventId: [inHeader("kick-event-message-id")],
  identity: {
    why: "Each message has its own id, which is signed. We found no page that says whether a further try keeps it.",
    source: "https://docs.kick.com/events/webhook-security",
  },
  eventType: [inHeader("kick-event-type")],
  secretHelp:
    "Kick's public key as PEM, the same for everyone: GET https://api.kick.com/public/v1/public-key.",
  whereToPaste:
    "Kick → Settings → Developer → your app: switch webhooks on and paste the catch URL.",
  docsUrl: "https://docs.kick.com/events/webhook-security",
  proof: { describedBy: "others" },
};
