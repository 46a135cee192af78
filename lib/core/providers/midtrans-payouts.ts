import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Compared with https://docs.midtrans.com/reference/notification-payload-1 on 2026-11-28. */
export const midtransPayouts: Provider = {
  id: "midtrans-payouts",
  name: "Midtrans Payouts (Iris)",
  scheme: {
    kind: "mac",
    mac: "digest",
    hash: "sha512",
    encoding: "hex",
    signature: {
      sources: [{ from: "header", name: "iris-signature" }],
      format: { type: "bare" },
    },
    signed: { template: "{body}{secret}" },
    secret: { decode: "utf8" },
  },
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "A payout keeps its reference number through all statuses. The body has " +
      "status and time, and equal bodies are one event for a day.",
    source: "https://docs.midtrans.com/reference/partner-http-notification-1",
  },
  eventType: [inBody("status")],
  secretHelp: "The Merchant Key of Payouts (Iris). Not the Server Key for payments.",
  whereToPaste:
    "Payouts dashboard → Settings: paste the catch URL as the notification URL; the same page shows the Merchant Key.",
  docsUrl: "https://docs.midtrans.com/reference/notification-payload-1",
  proof: { describedBy: "provider" },
};
