import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The hash covers the order, its status code, and its amount, but not the rest of the body. */
export const midtrans: Provider = {
  id: "midtrans",
  name: "Midtrans",
  scheme: {
    kind: "mac",
    mac: "digest",
    hash: "sha512",
    encoding: "hex",
    signature: { sources: [inBody("signature_key")], format: { type: "bare" } },
    signed: {
      template: "{order}{code}{amount}{secret}",
      values: {
        order: inBody("order_id"),
        code: inBody("status_code"),
        amount: inBody("gross_amount"),
      },
      bodyNotSigned: true,
    },
    secret: { decode: "utf8" },
  },
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "An order and its transaction keep their ids through all statuses. Equal bodies are one event for a day.",
    source: "https://docs.midtrans.com/docs/https-notification-webhooks",
  },
  eventType: [inBody("transaction_status")],
  secretHelp: "The Server Key of the environment. Not the Client Key.",
  whereToPaste:
    "Dashboard → Settings → Configuration: paste the catch URL as Payment " +
    "Notification URL; Settings → Access Keys shows the Server Key.",
  docsUrl: "https://docs.midtrans.com/docs/https-notification-webhooks",
  proof: { describedBy: "provider" },
};
