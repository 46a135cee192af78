import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://developer.webex.com/docs/receive-and-verify-webhooks";

/** Compared with https://developer.webex.com/blog/using-a-webhook-secret on 2026-11-28. */
export const webex: Provider = {
  id: "webex",
  name: "Webex",
  scheme: bodyMac("x-spark-signature", { hash: "sha1" }),
  eventId: [],
  identity: {
    why:
      "The body's id is that of the webhook, data.id that of the message or " +
      "membership, and no field is that of the event: two updates of one " +
      "membership may look alike. Every delivery is an event.",
    source: docsUrl,
  },
  eventType: [inBody("resource")],
  secretHelp: "The webhook's secret, as you gave it to the API.",
  isSecretChosen: true,
  whereToPaste:
    "POST https://webexapis.com/v1/webhooks with the catch URL as targetUrl, and a secret.",
  docsUrl,
  proof: { describedBy: "provider" },
};
