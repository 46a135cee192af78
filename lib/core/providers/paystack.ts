import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const paystack: Provider = {
  id: "paystack",
  name: "Paystack",
  scheme: bodyMac("x-paystack-signature", { hash: "sha512" }),
  eventId: [{ ...byContent, withinSeconds: 259_200 }],
  identity: {
    why: "There is no id of the event. Equal bodies are one event for the 72 hours in which Paystack tries again.",
    source: "https://paystack.com/docs/payments/webhooks/",
  },
  eventType: [inBody("event")],
  secretHelp: "The secret key of the account (sk_live_… or sk_test_…), whole.",
  whereToPaste:
    "Dashboard → Settings → API Keys & Webhooks: paste the catch URL; the secret key is beside it.",
  docsUrl: "https://paystack.com/docs/payments/webhooks/",
  proof: { describedBy: "others" },
};
