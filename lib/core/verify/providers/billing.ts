/** Subscriptions, invoices and books. */
import { xeroHandshakes } from "#lib/core/handshake/senders.ts";
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, eventsAt, inBody, inHeader, stampedMac } from "./shapes.ts";

export const billing: readonly Provider[] = [
  {
    id: "chargebee",
    name: "Chargebee",
    scheme: { kind: "basic" },
    eventId: [inBody("id")],
    eventType: [inBody("event_type")],
    secretHelp: "User name and password with a colon between them: user:password.",
    whereToPaste:
      "Settings → Configure Chargebee → Webhooks → Add: paste the catch URL and protect it with basic authentication. Chargebee does not sign.",
    docsUrl: "https://www.chargebee.com/docs/billing/2.0/site-configuration/webhook_settings",
  },
  /** The time has no zone and means UTC. Several signatures are separated by spaces. */
  {
    id: "orb",
    name: "Orb",
    scheme: {
      ...stampedMac("x-orb-signature", "x-orb-timestamp", {
        template: "v1:{timestamp}:{body}",
        unit: "iso-zoneless",
      }),
      signature: {
        sources: [{ from: "header", name: "x-orb-signature" }],
        format: { type: "pairs", itemSeparator: " ", keySeparator: "=", key: "v1" },
      },
    },
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The webhook's signing secret, used as text.",
    whereToPaste: "Orb → Developers → Webhooks → Add: paste the catch URL and copy the secret.",
    docsUrl: "https://docs.withorb.com/guides/integrations-and-exports/webhooks",
  },
  /** Of the two ways, the one with a shared key. The JWT, which is Lago's default, is another. */
  {
    id: "lago",
    name: "Lago (HMAC)",
    scheme: {
      ...bodyMac("x-lago-signature", { encoding: "base64" }),
      requiredHeaders: [{ name: "x-lago-signature-algorithm", value: "hmac" }],
    },
    eventId: [inHeader("x-lago-unique-key")],
    eventType: [inBody("webhook_type")],
    secretHelp: "The HMAC key of the organisation, used as text.",
    whereToPaste:
      "Developers → Webhooks → Add a webhook: paste the catch URL and choose HMAC as the signature, not JWT.",
    docsUrl: "https://getlago.com/docs/api-reference/webhooks/format---signature",
    confirmed: false,
  },
  {
    id: "lemon-squeezy",
    name: "Lemon Squeezy",
    scheme: bodyMac("x-signature"),
    eventId: [byContent],
    eventType: [inHeader("x-event-name"), inBody("meta.event_name")],
    secretHelp: "The Signing secret that you typed for the webhook.",
    whereToPaste:
      "Settings → Webhooks → Add: paste the catch URL as Callback URL and fill in Signing secret.",
    docsUrl: "https://docs.lemonsqueezy.com/help/webhooks/signing-requests",
    confirmed: false,
  },
  {
    id: "revenuecat",
    name: "RevenueCat",
    scheme: { kind: "token", source: { from: "header", name: "authorization" } },
    eventId: [inBody("event.id")],
    eventType: [inBody("event.type")],
    secretHelp: "The Authorization header value exactly as typed at RevenueCat, with Bearer if you typed it.",
    whereToPaste:
      "Project → Integrations → Webhooks → Add: paste the catch URL and fill in Authorization header value.",
    docsUrl: "https://www.revenuecat.com/docs/integrations/webhooks",
    confirmed: false,
  },
  /** The key looks like base64 and must not be decoded. Xero tests a wrong signature and wants 401 for it. */
  {
    id: "xero",
    name: "Xero",
    scheme: bodyMac("x-xero-signature", { encoding: "base64" }),
    eventId: [byContent],
    eventType: [inBody("events.0.eventType")],
    batch: eventsAt("events", { eventType: [["eventCategory", "eventType"], ["eventType"]] }),
    secretHelp: "The webhooks key, whole and with its ==. It is used as text and not decoded.",
    whereToPaste:
      "developer.xero.com → your app → Webhooks: paste the catch URL as Delivery URL, save the key in the hook, then send the Intent to receive.",
    docsUrl: "https://developer.xero.com/documentation/guides/webhooks/overview/",
    handshakes: xeroHandshakes,
    answer: { hasEmptyRefusals: true },
    answerWithinSeconds: 5,
  },
  {
    id: "quickbooks",
    name: "QuickBooks Online",
    scheme: bodyMac("intuit-signature", { encoding: "base64" }),
    eventId: [byContent],
    eventType: [inBody("eventNotifications.0.dataChangeEvent.entities.0.name"), inBody("0.type")],
    batch: eventsAt("", { eventId: [["id"]], eventType: [["type"]] }),
    secretHelp: "The Verifier token of the app's webhooks, used as text.",
    whereToPaste:
      "developer.intuit.com → your app → Webhooks: paste the catch URL as Endpoint URL and copy the Verifier token.",
    docsUrl: "https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks",
    confirmed: false,
  },
];
