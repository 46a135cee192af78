import { bodyMac } from "./shapes/mac.ts";
import { allOf, byContent, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * HMAC with MD5, which is still safe against forgery, unlike MD5 alone. Compared with
 * https://docs.patreon.com/#webhooks on 2026-11-28.
 */
export const patreon: Provider = {
  id: "patreon",
  name: "Patreon",
  scheme: bodyMac("x-patreon-signature", { hash: "md5" }),
  eventId: [{ ...allOf(inHeader("x-patreon-event"), byContent), withinSeconds: 7200 }],
  identity: {
    why:
      "The body is the member, pledge, or post without an id or a time of the " +
      "event, and a member may change back. Trigger and body are one event " +
      "for two hours: the first retry follows after one.",
    source: "https://docs.patreon.com/#webhooks",
  },
  eventType: [inHeader("x-patreon-event")],
  secretHelp: "The webhook's secret. Not the client's secret.",
  whereToPaste:
    "patreon.com/portal/registration/register-webhooks: paste the catch URL and copy the secret beside it.",
  docsUrl: "https://docs.patreon.com/#webhooks",
  proof: { describedBy: "provider" },
};
