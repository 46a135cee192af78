import { pairMac } from "./shapes/mac.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Without a secret, Ghost doesn't sign. Its events have no type: each has a webhook of its own.
 * Compared with `WebhookTrigger` of https://github.com/TryGhost/Ghost on 2026-11-28. Versions
 * before https://github.com/TryGhost/Ghost/pull/20500 of July 2024 sign the body without the time.
 */
export const ghost: Provider = {
  id: "ghost",
  name: "Ghost",
  scheme: pairMac("x-ghost-signature", {
    template: "{body}{timestamp}",
    itemSeparator: ", ",
    key: "sha256",
    unit: "ms",
  }),
  eventId: [],
  identity: {
    why:
      "There is no id. Ghost signs an event once, with its time in " +
      "milliseconds, so each attempt has the same signed content, which replay " +
      "protection counts once. Otherwise every delivery is an event.",
    source:
      "https://github.com/TryGhost/Ghost/blob/main/ghost/core/core/server/services/webhooks/webhook-trigger.js",
  },
  eventType: [],
  secretHelp: "The Secret that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Settings → Integrations → your custom integration → Add webhook: paste the catch " +
    "URL as Target URL and fill in Secret. Use one hook for each event.",
  docsUrl: "https://docs.ghost.org/webhooks",
  proof: { describedBy: "provider" },
};
