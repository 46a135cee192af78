/** Where things run, and the secrets they run with. */
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, eventsAt, inBody, inHeader, pairMac } from "./shapes.ts";

export const hosting: readonly Provider[] = [
  /** SHA-1, as Vercel signs; tables that say SHA-256 are wrong. */
  {
    id: "vercel",
    name: "Vercel",
    scheme: bodyMac("x-vercel-signature", { hash: "sha1" }),
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The webhook's secret, shown once; for an integration, its client secret.",
    whereToPaste:
      "Team Settings → Webhooks → Create Webhook: paste the catch URL as Endpoint URL and copy the secret that is shown.",
    docsUrl: "https://vercel.com/docs/webhooks/webhooks-api",
    answerWithinSeconds: 30,
  },

  {
    id: "heroku",
    name: "Heroku",
    scheme: bodyMac("heroku-webhook-hmac-sha256", { encoding: "base64" }),
    eventId: [inBody("webhook_metadata.event.id"), inBody("id")],
    eventType: [inBody("webhook_metadata.event.include"), inBody("resource")],
    secretHelp: "The secret that was given or shown when the webhook was added.",
    whereToPaste:
      "App → More → View webhooks → Create Webhook, or heroku webhooks:add -u with the catch URL; the answer shows the secret once.",
    docsUrl: "https://devcenter.heroku.com/articles/app-webhooks",
    confirmed: false,
  },

  /** The header has the name that Standard Webhooks and GoCardless use for other formats. */
  {
    id: "cloudflare-stream",
    name: "Cloudflare Stream",
    scheme: pairMac("webhook-signature", { key: "sig1", timeKey: "time" }),
    // There is no delivery id, and a video is told of more than once: the signature stands for content and time.
    eventId: [byContent],
    eventType: [inBody("status.state")],
    secretHelp: "The secret in the answer to the call that sets the webhook.",
    whereToPaste:
      "Call PUT /accounts/{account}/stream/webhook with the catch URL as notificationUrl; the answer holds the secret.",
    docsUrl: "https://developers.cloudflare.com/stream/manage-video-library/using-webhooks/",
  },

  {
    id: "cloudflare-notifications",
    name: "Cloudflare Notifications",
    scheme: { kind: "token", source: { from: "header", name: "cf-webhook-auth" } },
    eventId: [inHeader("idempotency-key")],
    eventType: [inBody("alert_type")],
    secretHelp: "The Secret that you typed when you made the webhook destination.",
    whereToPaste:
      "Cloudflare → Notifications → Destinations → Webhooks → Create: paste the catch URL and fill in Secret.",
    docsUrl: "https://developers.cloudflare.com/notifications/get-started/configure-webhooks/",
    confirmed: false,
  },

  {
    id: "doppler",
    name: "Doppler",
    scheme: bodyMac("x-doppler-signature", { prefix: "sha256=" }),
    eventId: [inHeader("idempotency-key")],
    eventType: [inBody("type")],
    secretHelp: "The signing secret that you typed for the webhook.",
    whereToPaste: "Project → Webhooks → Add: paste the catch URL and fill in the signing secret.",
    docsUrl: "https://docs.doppler.com/docs/webhooks",
    confirmed: false,
  },

  {
    id: "planetscale",
    name: "PlanetScale",
    scheme: bodyMac("x-planetscale-signature"),
    eventId: [byContent],
    eventType: [inBody("event")],
    secretHelp: "The webhook's secret, as its page shows it.",
    whereToPaste: "Database → Settings → Webhooks → Add webhook: paste the catch URL and copy the secret.",
    docsUrl: "https://planetscale.com/docs/api/webhooks",
    confirmed: false,
  },

  {
    id: "tailscale",
    name: "Tailscale",
    scheme: pairMac("tailscale-webhook-signature"),
    eventId: [byContent],
    eventType: [inBody("0.type")],
    batch: eventsAt("", { eventType: [["type"]] }),
    secretHelp: "The webhook's secret (tskey-webhook-…), whole; it is shown once.",
    whereToPaste:
      "Admin console → Settings → Webhooks → Add endpoint: paste the catch URL and copy the secret.",
    docsUrl: "https://tailscale.com/kb/1213/webhooks",
    confirmed: false,
  },
];
