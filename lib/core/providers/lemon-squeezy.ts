import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const lemonSqueezy: Provider = {
  id: "lemon-squeezy",
  name: "Lemon Squeezy",
  scheme: bodyMac("x-signature"),
  eventId: [byContent],
  identity: {
    why: "There is no id. The body is the event's name and the object with updated_at to the microsecond.",
    source: null,
  },
  eventType: [inHeader("x-event-name"), inBody("meta.event_name")],
  secretHelp: "The Signing secret that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Settings → Webhooks → Add: paste the catch URL as Callback URL and fill in Signing secret.",
  docsUrl: "https://docs.lemonsqueezy.com/help/webhooks/signing-requests",
  proof: { describedBy: "others" },
  marks: {
    body: [{ path: "meta.event_name", is: /^[a-z_]+$/, why: "its body has meta.event_name" }],
  },
};
