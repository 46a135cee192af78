import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const fastspring: Provider = {
  id: "fastspring",
  name: "FastSpring",
  scheme: bodyMac("x-fs-signature", { encoding: "base64" }),
  eventId: [byContent],
  identity: {
    why: "Each event of a body has an id of its own, which stays the same when FastSpring sends it again.",
    source: "https://developer.fastspring.com/reference/webhooks-overview",
  },
  eventType: [inBody("events.0.type")],
  batch: eventsAt("events", { eventId: [["id"]], eventType: [["type"]] }),
  secretHelp: "The HMAC SHA256 Secret that you typed for the webhook, used as text.",
  isSecretChosen: true,
  whereToPaste:
    "Developer Tools → Webhooks → Configuration → your webhook → Add URL endpoint: paste " +
    "the catch URL and fill in HMAC SHA256 Secret. Without one, FastSpring doesn't sign.",
  docsUrl: "https://developer.fastspring.com/docs/message-security",
  proof: { describedBy: "provider" },
};
