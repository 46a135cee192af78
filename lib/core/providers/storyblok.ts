import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Compared with https://www.storyblok.com/tp/webhook-secret-with-different-technologies on
 * 2026-11-28.
 */
export const storyblok: Provider = {
  id: "storyblok",
  name: "Storyblok",
  scheme: bodyMac("webhook-signature", { hash: "sha1" }),
  eventId: [],
  identity: {
    why:
      "The body only has the action and the story, without an id or a time, so " +
      "publishing a story again looks the same. Every delivery is an event.",
    source: null,
  },
  eventType: [inBody("action")],
  secretHelp: "The webhook secret that you typed. Without one, Storyblok doesn't sign.",
  isSecretChosen: true,
  whereToPaste:
    "Settings → Webhooks → New Webhook: paste the catch URL and fill in the webhook secret.",
  docsUrl: "https://www.storyblok.com/docs/concepts/webhooks",
  proof: { describedBy: "provider" },
  response: { status: 200, contentType: "application/json", body: "{}" },
};
