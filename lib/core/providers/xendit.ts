import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Compared with https://docs.xendit.co/webhook/getting-started/ on 2026-11-28. Some webhooks have
 * an id in the header webhook-id, but the page doesn't say that all have, so their content counts.
 */
export const xendit: Provider = {
  id: "xendit",
  name: "Xendit",
  scheme: { kind: "token", source: { from: "header", name: "x-callback-token" } },
  eventId: [{ ...byContent, withinSeconds: 172_800 }],
  identity: {
    why:
      "The body's id is that of the invoice or payment, which has several events. Equal " +
      "bodies are one event for two days, and Xendit's six retries follow within one.",
    source: "https://docs.xendit.co/webhook/delivery-attempts-and-retries/",
  },
  eventType: [inBody("event"), inBody("status")],
  secretHelp: "The account's webhook verification token. Not an API key.",
  whereToPaste:
    "Dashboard → Settings → Webhooks: paste the catch URL for each product; the page shows the verification token.",
  docsUrl: "https://docs.xendit.co/webhook/getting-started/",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 30,
};
