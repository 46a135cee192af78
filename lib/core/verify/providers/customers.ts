/** Customers, leads and support. */
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, eventsAt, inBody, inHeader, stampedMac } from "./shapes.ts";

/** Event ids are not unique by themselves; `attemptNumber` differs from one try to the next. */
const hubspotBatch = eventsAt("", {
  eventId: [["subscriptionId", "eventId", "occurredAt"]],
  eventType: [["subscriptionType"]],
});
const hubspotSecret = "The app's client secret. Not an access token.";

export const customers: readonly Provider[] = [
  /** Events come in batches, signed together with the time. */
  {
    id: "hubspot",
    name: "HubSpot (v3)",
    scheme: stampedMac("x-hubspot-signature-v3", "x-hubspot-request-timestamp", {
      template: "{method}{url}{body}{timestamp}",
      encoding: "base64",
      unit: "ms",
    }),
    eventId: [byContent],
    eventType: [inBody("0.subscriptionType")],
    batch: hubspotBatch,
    secretHelp: hubspotSecret,
    whereToPaste:
      "Development → your app (older ones: Legacy apps) → Webhooks: the catch URL is the Target URL, exactly as shown here; Auth shows the client secret.",
    docsUrl:
      "https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation",
    answerWithinSeconds: 5,
  },
  /** A digest and no HMAC, without a time: take v3 where there is a choice. */
  {
    id: "hubspot-v1",
    name: "HubSpot (v1, old)",
    scheme: {
      ...bodyMac("x-hubspot-signature"),
      mac: "digest",
      signed: { template: "{secret}{body}" },
      requiredHeaders: [{ name: "x-hubspot-signature-version", value: "v1" }],
    },
    eventId: [byContent],
    eventType: [inBody("0.subscriptionType")],
    batch: hubspotBatch,
    secretHelp: hubspotSecret,
    whereToPaste: "Your app → Webhooks: paste the catch URL as Target URL; Auth shows the client secret.",
    docsUrl: "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests",
  },
  {
    id: "hubspot-v2",
    name: "HubSpot (v2, workflows)",
    scheme: {
      ...bodyMac("x-hubspot-signature"),
      mac: "digest",
      signed: { template: "{secret}{method}{url}{body}" },
      requiredHeaders: [{ name: "x-hubspot-signature-version", value: "v2" }],
    },
    eventId: [inHeader("idempotency-key")],
    eventType: [],
    secretHelp: hubspotSecret,
    whereToPaste:
      "Workflow → Send a webhook: paste the catch URL exactly as shown here and choose the signature of your app; Auth shows the client secret.",
    docsUrl: "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests",
  },
  {
    id: "intercom",
    name: "Intercom",
    scheme: bodyMac("x-hub-signature", { prefix: "sha1=", hash: "sha1" }),
    eventId: [inBody("id")],
    eventType: [inBody("topic")],
    secretHelp: "The app's client secret. Not an access token.",
    whereToPaste:
      "Developer Hub → your app → Webhooks: paste the catch URL as Endpoint URL; Basic information shows the client secret.",
    docsUrl: "https://developers.intercom.com/docs/webhooks/setting-up-webhooks",
  },
  {
    id: "zendesk",
    name: "Zendesk",
    scheme: stampedMac("x-zendesk-webhook-signature", "x-zendesk-webhook-signature-timestamp", {
      template: "{timestamp}{body}",
      encoding: "base64",
      unit: "rfc3339",
    }),
    eventId: [inHeader("x-zendesk-webhook-invocation-id")],
    eventType: [inBody("type")],
    secretHelp: "The webhook's signing secret, which its page reveals. Tests before it is made have another.",
    whereToPaste:
      "Admin Center → Apps and integrations → Webhooks → Create webhook: paste the catch URL; Reveal secret is on the webhook's page.",
    docsUrl: "https://developer.zendesk.com/documentation/webhooks/verifying/",
  },
  {
    id: "attio",
    name: "Attio",
    scheme: bodyMac("attio-signature"),
    eventId: [inHeader("idempotency-key")],
    eventType: [inBody("events.0.event_type")],
    batch: eventsAt("events", { keepsEnvelope: true, otherwise: "place", eventType: [["event_type"]] }),
    secretHelp: "The webhook's secret, shown when it is made.",
    whereToPaste:
      "Workspace settings → Developers → Webhooks → New: paste the catch URL and copy the secret.",
    docsUrl: "https://docs.attio.com/rest-api/guides/webhooks",
  },
  /** `sha256 <hex>`, with a space. */
  {
    id: "greenhouse",
    name: "Greenhouse",
    scheme: bodyMac("signature", { prefix: "sha256 " }),
    eventId: [inHeader("greenhouse-event-id")],
    eventType: [inBody("action")],
    secretHelp: "The Secret key that you typed for the webhook.",
    whereToPaste:
      "Configure → Dev Center → Webhooks → Create: paste the catch URL as Endpoint URL and fill in Secret key.",
    docsUrl: "https://developers.greenhouse.io/webhooks.html",
    confirmed: false,
  },
  {
    id: "ashby",
    name: "Ashby",
    scheme: bodyMac("ashby-signature", { prefix: "sha256=" }),
    eventId: [byContent],
    eventType: [inBody("action")],
    secretHelp: "The Secret token that you typed for the webhook.",
    whereToPaste: "Admin → Integrations → Webhooks → New: paste the catch URL and fill in Secret token.",
    docsUrl: "https://developers.ashbyhq.com/docs/authenticating-webhooks",
    confirmed: false,
  },
  {
    id: "customer-io",
    name: "Customer.io",
    scheme: stampedMac("x-cio-signature", "x-cio-timestamp", { template: "v0:{timestamp}:{body}" }),
    eventId: [inBody("event_id")],
    eventType: [inBody("metric"), inBody("object_type")],
    secretHelp: "The webhook's signing key.",
    whereToPaste:
      "Integrations → Reporting Webhooks → Add: paste the catch URL; the signing key is on the webhook's page.",
    docsUrl: "https://docs.customer.io/journeys/webhooks/",
    confirmed: false,
  },
  {
    id: "front",
    name: "Front",
    scheme: stampedMac("x-front-signature", "x-front-request-timestamp", {
      template: "{timestamp}:{body}",
      encoding: "base64",
      unit: "ms",
    }),
    eventId: [byContent],
    eventType: [inBody("type")],
    secretHelp: "The app's signing key.",
    whereToPaste:
      "Settings → Developers → your app → Features → Webhook: paste the catch URL; the signing key is on the app's page.",
    docsUrl: "https://dev.frontapp.com/docs/webhooks-1",
    confirmed: false,
  },
  {
    id: "help-scout",
    name: "Help Scout",
    scheme: bodyMac("x-helpscout-signature", { hash: "sha1", encoding: "base64" }),
    eventId: [byContent],
    eventType: [inHeader("x-helpscout-event")],
    secretHelp: "The Secret Key that you typed for the webhook.",
    whereToPaste: "Apps → Webhooks: paste the catch URL as Callback URL and fill in Secret Key.",
    docsUrl: "https://developer.helpscout.com/webhooks/",
    confirmed: false,
  },
  {
    id: "crisp",
    name: "Crisp",
    scheme: stampedMac("x-crisp-signature", "x-crisp-request-timestamp", {
      template: "[{timestamp};{body}]",
      unit: "ms",
    }),
    eventId: [byContent],
    eventType: [inBody("event")],
    secretHelp: "The signing secret of the plugin or web hook.",
    whereToPaste:
      "Settings → Advanced configuration → Web Hooks → Add: paste the catch URL and copy the secret.",
    docsUrl: "https://docs.crisp.chat/guides/web-hooks/",
    confirmed: false,
  },
  {
    id: "plain",
    name: "Plain",
    scheme: bodyMac("plain-request-signature"),
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The HMAC secret of the workspace, under Request signing.",
    whereToPaste:
      "Settings → Webhooks → Add: paste the catch URL; Settings → Request signing shows the secret.",
    docsUrl: "https://www.plain.com/docs/api-reference/request-signing",
    confirmed: false,
  },
  {
    id: "jobber",
    name: "Jobber",
    scheme: bodyMac("x-jobber-hmac-sha256", { encoding: "base64" }),
    eventId: [byContent],
    eventType: [inBody("data.webHookEvent.topic")],
    secretHelp: "The app's client secret.",
    whereToPaste:
      "Developer Center → your app → Webhooks: paste the catch URL; the client secret is on the app's page.",
    docsUrl: "https://developer.getjobber.com/docs/using_jobbers_api/setting_up_webhooks/",
    confirmed: false,
  },
  {
    id: "sellsy",
    name: "Sellsy",
    scheme: bodyMac("x-webhook-signature"),
    eventId: [byContent],
    eventType: [inBody("eventType"), inBody("event")],
    secretHelp: "The webhook's secret, as Sellsy shows it.",
    whereToPaste: "Settings → Developer portal → Webhooks: paste the catch URL and copy the secret.",
    docsUrl: "https://api.sellsy.com/doc/v2/",
    confirmed: false,
  },
];
