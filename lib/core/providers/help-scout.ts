import { bodyMac } from "./shapes/mac.ts";
import { byContent, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const helpScout: Provider = {
  id: "help-scout",
  name: "Help Scout",
  scheme: bodyMac("x-helpscout-signature", { hash: "sha1", encoding: "base64" }),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "There is no id of the event. The body is the object with its times; equal bodies are one event for a day.",
  },
  eventType: [inHeader("x-helpscout-event")],
  secretHelp: "The Secret Key that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste: "Apps → Webhooks: paste the catch URL as Callback URL and fill in Secret Key.",
  docsUrl: "https://developer.helpscout.com/webhooks/",
  proof: { describedBy: "others" },
};
