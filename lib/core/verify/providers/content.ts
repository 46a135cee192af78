/** Files, documents and what is published. */
import { dropboxHandshakes } from "#lib/core/handshake/senders.ts";
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, inBody, inHeader, pairMac, stampedMac } from "./shapes.ts";

export const content: readonly Provider[] = [
  /** One signature for each active key, up to ten of them. */
  {
    id: "docusign",
    name: "DocuSign Connect",
    scheme: {
      ...bodyMac("x-docusign-signature-1", { encoding: "base64" }),
      signature: {
        sources: Array.from({ length: 10 }, (_none, index) => ({
          from: "header" as const,
          name: `x-docusign-signature-${index + 1}`,
        })),
        format: { type: "bare" },
      },
    },
    eventId: [byContent],
    eventType: [inBody("event")],
    secretHelp: "One of the account's Connect HMAC keys, used as text.",
    whereToPaste:
      "Settings → Connect → Add Configuration: paste the catch URL and include the HMAC signature; Connect Keys makes the key, which is shown once.",
    docsUrl: "https://developers.docusign.com/platform/webhooks/connect/validate/",
  },
  /** A ping: it says whose files changed, and not what. */
  {
    id: "dropbox",
    name: "Dropbox",
    scheme: bodyMac("x-dropbox-signature"),
    eventId: [inHeader("idempotency-key")],
    eventType: [],
    secretHelp: "The app's App secret. Not the App key and not a token.",
    whereToPaste: "App Console → your app → Webhooks: paste the catch URL; Settings shows the App secret.",
    docsUrl: "https://www.dropbox.com/developers/reference/webhooks",
    handshakes: dropboxHandshakes,
    confirmed: false,
    answerWithinSeconds: 10,
  },
  /** Body first, then the time. Two keys can be active, and each signs in a header of its own. */
  {
    id: "box",
    name: "Box",
    scheme: {
      ...stampedMac("box-signature-primary", "box-delivery-timestamp", {
        template: "{body}{timestamp}",
        encoding: "base64",
        unit: "rfc3339",
        window: 600,
      }),
      signature: {
        sources: [
          { from: "header", name: "box-signature-primary" },
          { from: "header", name: "box-signature-secondary" },
        ],
        format: { type: "bare" },
      },
      requiredHeaders: [
        { name: "box-signature-version", value: "1" },
        { name: "box-signature-algorithm", value: "HmacSHA256" },
      ],
    },
    eventId: [inBody("id"), inHeader("box-delivery-id")],
    eventType: [inBody("trigger")],
    secretHelp: "The app's primary or secondary signature key.",
    whereToPaste:
      "Developer Console → your app → Webhooks: Create with the catch URL; Manage signature keys makes and shows the keys.",
    docsUrl: "https://developer.box.com/guides/webhooks/v2/signatures-v2/",
  },
  /** Looks like Stripe, but in milliseconds and base64url without padding. */
  {
    id: "sanity",
    name: "Sanity",
    scheme: pairMac("sanity-webhook-signature", { encoding: "base64url", unit: "ms" }),
    eventId: [inHeader("idempotency-key")],
    eventType: [inHeader("sanity-operation"), inBody("_type")],
    secretHelp: "The Secret that you typed for the webhook.",
    whereToPaste:
      "sanity.io/manage → project → API → Webhooks → Create: paste the catch URL and fill in Secret.",
    docsUrl: "https://www.sanity.io/docs/content-lake/webhooks",
  },
  /** Webhooks made in the dashboard are not signed. */
  {
    id: "webflow",
    name: "Webflow",
    scheme: stampedMac("x-webflow-signature", "x-webflow-timestamp", {
      template: "{timestamp}:{body}",
      unit: "ms",
    }),
    eventId: [byContent],
    eventType: [inBody("triggerType")],
    secretHelp: "The app's client secret, or the secret of a webhook that was made over the API.",
    whereToPaste:
      "Create the webhook over the API (POST /v2/sites/{site}/webhooks) with the catch URL as url. Those made in the dashboard carry no signature.",
    docsUrl: "https://developers.webflow.com/data/docs/working-with-webhooks",
    confirmed: false,
    answerWithinSeconds: 30,
  },
  /** A digest that ends with the secret. Accounts set to SHA-256 need custom. */
  {
    id: "cloudinary",
    name: "Cloudinary",
    scheme: {
      ...stampedMac("x-cld-signature", "x-cld-timestamp", {
        template: "{body}{timestamp}{secret}",
        hash: "sha1",
        window: 7200,
      }),
      mac: "digest",
    },
    eventId: [byContent],
    eventType: [inBody("notification_type")],
    secretHelp: "The product environment's API secret.",
    whereToPaste:
      "Settings → Webhook Notifications → Add: paste the catch URL; API Keys shows the API secret.",
    docsUrl: "https://cloudinary.com/documentation/notification_signatures",
  },
  {
    id: "mux",
    name: "Mux",
    scheme: pairMac("mux-signature"),
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The webhook's signing secret, used as text.",
    whereToPaste:
      "Dashboard → Settings → Webhooks → Create new webhook: paste the catch URL and copy the signing secret.",
    docsUrl: "https://www.mux.com/docs/core/verify-webhook-signatures",
  },
];
