import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Compared with https://docs.alchemy.com/reference/notify-api-faq on 2026-11-28. */
export const alchemy: Provider = {
  id: "alchemy",
  name: "Alchemy",
  scheme: bodyMac("x-alchemy-signature"),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id (whevt_…) is that of the event; webhookId is the webhook's.",
    source: "https://www.alchemy.com/docs/reference/notify-api-quickstart",
  },
  eventType: [inBody("type")],
  secretHelp: "The Signing Key of the webhook (whsec_…), whole. It is used as text.",
  whereToPaste:
    "Dashboard → Webhooks → Create Webhook: paste the catch URL; the webhook's menu shows its Signing Key.",
  docsUrl: "https://www.alchemy.com/docs/reference/notify-api-quickstart",
  proof: { describedBy: "provider" },
  marks: { body: [{ path: "webhookId", is: /^wh_/, why: "its webhookId starts with wh_" }] },
};
