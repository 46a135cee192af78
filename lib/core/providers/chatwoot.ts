import { stampedMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://github.com/chatwoot/chatwoot/pull/13573";

/**
 * Versions before 4.11.2 sign nothing; API inboxes and agent bots sign from 4.13.0 on. Compared
 * with https://github.com/chatwoot/chatwoot/pull/13573 and the field `secret` in
 * https://developers.chatwoot.com/api-reference/webhooks/add-a-webhook on 2026-11-28.
 */
export const chatwoot: Provider = {
  id: "chatwoot",
  name: "Chatwoot",
  scheme: stampedMac("x-chatwoot-signature", "x-chatwoot-timestamp", {
    template: "{timestamp}.{body}",
    prefix: "sha256=",
  }),
  eventId: [inHeader("x-chatwoot-delivery")],
  identity: {
    why:
      "The body's id is that of the message or conversation. X-Chatwoot-Delivery is " +
      "made once for each event, and further tries have the same one.",
    source: docsUrl,
  },
  eventType: [inBody("event")],
  secretHelp: "The webhook's Secret, shown when it is edited.",
  whereToPaste:
    "Settings → Integrations → Webhooks → Add new webhook: paste the " +
    "catch URL and choose events, then copy the secret.",
  docsUrl,
  proof: { describedBy: "provider" },
  respondWithinSeconds: 5,
};
