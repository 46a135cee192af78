import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Version 4 of the API. Version 3 only repeats the secret hash: see flutterwave-v3. Looked up on
 * 2026-11-28: integrations of others verify this HMAC, but an older edition of
 * https://developer.flutterwave.com/docs/webhooks compares the header with the secret hash itself.
 */
export const flutterwave: Provider = {
  id: "flutterwave",
  name: "Flutterwave",
  scheme: bodyMac("flutterwave-signature", { encoding: "base64" }),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "The body has the charge with its status and the time of the event in milliseconds, " +
      "but no id of the event that we could confirm. Equal bodies are one event for a day.",
    source: "https://developer.flutterwave.com/docs/webhooks",
  },
  eventType: [inBody("type")],
  secretHelp: "The secret hash that you typed for the webhook. Not an API key.",
  isSecretChosen: true,
  whereToPaste: "Dashboard → Settings → Webhooks: paste the catch URL and fill in the secret hash.",
  docsUrl: "https://developer.flutterwave.com/docs/webhooks",
  proof: { describedBy: "others" },
};
