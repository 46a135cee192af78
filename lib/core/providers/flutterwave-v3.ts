import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Compared with `flutterwave_webhooks` of https://github.com/Flutterwave/Woocommerce-v2 on
 * 2026-11-28.
 */
export const flutterwaveV3: Provider = {
  id: "flutterwave-v3",
  name: "Flutterwave (API version 3)",
  scheme: { kind: "token", source: { from: "header", name: "verif-hash" } },
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "data.id is that of the transaction, which can change its status. Equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("event")],
  secretHelp: "The secret hash that you typed for the webhook. Not an API key.",
  isSecretChosen: true,
  whereToPaste: "Dashboard → Settings → Webhooks: paste the catch URL and fill in the secret hash.",
  docsUrl: "https://developer.flutterwave.com/docs/webhooks",
  proof: { describedBy: "provider" },
  marks: {
    body: [{ path: "data.flw_ref", is: /./, why: "its data has a flw_ref" }],
  },
};
