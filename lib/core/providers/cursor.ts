import { bodyMac } from "./shapes/mac.ts";
import { allOf, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://cursor.com/docs/cloud-agent/api/webhooks";

/** Compared with https://cursor.com/docs/cloud-agent/api/webhooks on 2026-11-28. */
export const cursor: Provider = {
  id: "cursor",
  name: "Cursor (cloud agents)",
  scheme: bodyMac("x-webhook-signature", { prefix: "sha256=" }),
  eventId: [allOf(inBody("id"), inBody("status"), inBody("timestamp")), inHeader("x-webhook-id")],
  identity: {
    why:
      "The body's id is that of the agent, which may finish several times, so " +
      "status and time count. X-Webhook-ID is that of the delivery.",
    source: docsUrl,
  },
  eventType: [inHeader("x-webhook-event"), inBody("event")],
  secretHelp: "The webhook.secret that you set when you create the agent.",
  isSecretChosen: true,
  whereToPaste:
    "Pass the catch URL as webhook.url, and a webhook.secret of 32 characters " +
    "or more, when you create an agent with the Cloud Agents API.",
  docsUrl,
  proof: { describedBy: "provider" },
  marks: { userAgent: /^Cursor-Agent-Webhook\// },
};
