import { bodyMac } from "./shapes/mac.ts";
import { allOf, byContent, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const helpScout: Provider = {
  id: "help-scout",
  name: "Help Scout",
  scheme: bodyMac("x-helpscout-signature", { hash: "sha1", encoding: "base64" }),
  eventId: [
    { ...allOf(inHeader("x-helpscout-event"), byContent), withinSeconds: 86_400 },
    { ...byContent, withinSeconds: 86_400 },
  ],
  identity: {
    why:
      "The event is only in the header, and one change of an object can cause several events " +
      "with equal bodies. The same event with an equal body is one event for a day.",
    source: "https://developer.helpscout.com/webhooks/",
  },
  eventType: [inHeader("x-helpscout-event")],
  secretHelp: "The Secret Key that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste: "Apps → Webhooks: paste the catch URL as Callback URL and fill in Secret Key.",
  docsUrl: "https://developer.helpscout.com/webhooks/",
  proof: { describedBy: "others" },
};
