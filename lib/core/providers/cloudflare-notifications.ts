import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const cloudflareNotifications: Provider = {
  id: "cloudflare-notifications",
  name: "Cloudflare Notifications",
  scheme: { kind: "token", source: { from: "header", name: "cf-webhook-auth" } },
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "There is no id. The body holds the alert and its second; equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("alert_type")],
  secretHelp: "The Secret that you typed when you made the webhook destination.",
  isSecretChosen: true,
  whereToPaste:
    "Cloudflare → Notifications → Destinations → Webhooks → Create: paste the catch URL and fill in Secret.",
  docsUrl: "https://developers.cloudflare.com/notifications/get-started/configure-webhooks/",
  proof: { describedBy: "others" },
};
