/** Notes, boards, forms and calendars. */
import { asanaHandshakes, notionHandshakes, trelloHandshakes } from "#lib/core/handshake/senders.ts";
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, eventsAt, inBody, inHeader, pairMac } from "./shapes.ts";

export const work: readonly Provider[] = [
  {
    id: "notion",
    name: "Notion",
    scheme: bodyMac("x-notion-signature", { prefix: "sha256=" }),
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The verification_token that Notion sends to the catch URL in its first request.",
    whereToPaste:
      "notion.so/developers/connections → your connection → Webhooks → Create a subscription: paste the catch URL, then verify it with the token that arrived.",
    docsUrl: "https://developers.notion.com/reference/webhooks",
    handshakes: notionHandshakes,
  },
  {
    id: "airtable",
    name: "Airtable",
    scheme: {
      ...bodyMac("x-airtable-content-mac", { prefix: "hmac-sha256=" }),
      secret: { decode: "base64" },
    },
    // A ping says only that something changed: base, webhook and time.
    eventId: [byContent],
    eventType: [],
    secretHelp: "The macSecretBase64 of the webhook: base64, which is decoded.",
    whereToPaste:
      "Create the webhook over the API (POST /v0/bases/{base}/webhooks) with the catch URL as notificationUrl; the answer holds macSecretBase64.",
    docsUrl: "https://airtable.com/developers/web/api/webhooks-overview",
    confirmed: false,
  },
  /** Events have no id. Empty lists are heartbeats. */
  {
    id: "asana",
    name: "Asana",
    scheme: bodyMac("x-hook-signature"),
    eventId: [byContent],
    eventType: [inBody("events.0.resource.resource_type")],
    batch: eventsAt("events", { eventType: [["resource.resource_type", "action"], ["action"]] }),
    secretHelp: "The X-Hook-Secret that Asana sends to the catch URL when the webhook is made.",
    whereToPaste: "Create the webhook over the API (POST /webhooks) with the catch URL as target.",
    docsUrl: "https://developers.asana.com/docs/webhooks-guide",
    handshakes: asanaHandshakes,
    answerWithinSeconds: 10,
  },
  /** Body first, then the URL exactly as registered. */
  {
    id: "trello",
    name: "Trello",
    scheme: {
      ...bodyMac("x-trello-webhook", { hash: "sha1", encoding: "base64" }),
      signed: { template: "{body}{url}" },
    },
    eventId: [inBody("action.id")],
    eventType: [inBody("action.type")],
    secretHelp: "The OAuth secret of the Power-Up's API key. Not the key and not a token.",
    whereToPaste:
      "Create the webhook over the API (POST /1/webhooks) with the catch URL as callbackURL; trello.com/power-ups/admin → API key shows the secret.",
    docsUrl: "https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/",
    handshakes: trelloHandshakes,
  },
  {
    id: "jira",
    name: "Jira, Confluence (Cloud)",
    scheme: bodyMac("x-hub-signature", { prefix: "sha256=" }),
    eventId: [inHeader("x-atlassian-webhook-identifier")],
    eventType: [inBody("webhookEvent")],
    secretHelp: "The webhook's Secret, as typed or generated.",
    whereToPaste:
      "Jira administration → System → WebHooks → Create a WebHook: paste the catch URL and fill in Secret.",
    docsUrl: "https://developer.atlassian.com/cloud/jira/platform/webhooks/",
  },
  /** The passcode comes in the body: it proves the origin, not the content. */
  {
    id: "figma",
    name: "Figma",
    scheme: { kind: "token", source: { from: "body", path: "passcode" } },
    eventId: [inHeader("idempotency-key")],
    eventType: [inBody("event_type")],
    secretHelp: "The passcode that you gave when you made the webhook.",
    whereToPaste:
      "Create the webhook over the API (POST /v2/webhooks) with the catch URL as endpoint and a passcode of your own.",
    docsUrl: "https://developers.figma.com/docs/rest-api/webhooks/",
  },
  {
    id: "clickup",
    name: "ClickUp",
    scheme: bodyMac("x-signature"),
    eventId: [byContent],
    eventType: [inBody("event")],
    secretHelp: "The secret in the answer to the call that made the webhook.",
    whereToPaste:
      "Create the webhook over the API (POST /team/{team}/webhook) with the catch URL as endpoint; the answer holds the secret.",
    docsUrl: "https://developer.clickup.com/docs/webhooksignature",
    confirmed: false,
  },
  /** `sha256=` is followed by base64. */
  {
    id: "typeform",
    name: "Typeform",
    scheme: bodyMac("typeform-signature", { prefix: "sha256=", encoding: "base64" }),
    eventId: [inBody("event_id")],
    eventType: [inBody("event_type")],
    secretHelp: "The Secret that you typed for the webhook.",
    whereToPaste:
      "Form → Connect → Webhooks → Add a webhook: paste the catch URL, then Edit → Secret, and switch the webhook on.",
    docsUrl: "https://www.typeform.com/developers/webhooks/secure-your-webhooks/",
  },
  {
    id: "calendly",
    name: "Calendly",
    scheme: pairMac("calendly-webhook-signature", { window: 180 }),
    eventId: [byContent],
    eventType: [inBody("event")],
    secretHelp: "The signing_key that you gave when you made the subscription.",
    whereToPaste:
      "Create the subscription over the API (POST /webhook_subscriptions) with the catch URL as url and a signing_key of your own.",
    docsUrl: "https://developer.calendly.com/api-docs/4c305798a61d3-webhook-signatures",
  },
  /** Without a secret the header holds words, which are refused. */
  {
    id: "cal-com",
    name: "Cal.com",
    scheme: bodyMac("x-cal-signature-256"),
    eventId: [byContent],
    eventType: [inBody("triggerEvent")],
    secretHelp: "The Secret that you typed for the webhook.",
    whereToPaste:
      "Settings → Developer → Webhooks → New: paste the catch URL as Subscriber URL and fill in Secret.",
    docsUrl: "https://cal.com/docs/developing/guides/automation/webhooks",
  },
];
