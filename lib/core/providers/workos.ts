import { pairMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Milliseconds, usually with a space after the comma. */
export const workos: Provider = {
  id: "workos",
  name: "WorkOS",
  scheme: pairMac("workos-signature", { unit: "ms", window: 180 }),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the event.",
    source: "https://workos.com/docs/events/data-syncing/webhooks",
  },
  eventType: [inBody("event")],
  secretHelp: "The endpoint's Signing Secret, used as text.",
  whereToPaste:
    "Dashboard → Webhooks → Create Webhook: paste the catch URL and copy the Signing Secret.",
  docsUrl: "https://workos.com/docs/events/data-syncing/webhooks",
  proof: { package: "@workos-inc/node", describedBy: "provider" },
};
