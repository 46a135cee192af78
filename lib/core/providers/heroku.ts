import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const heroku: Provider = {
  id: "heroku",
  name: "Heroku",
  scheme: bodyMac("heroku-webhook-hmac-sha256", { encoding: "base64" }),
  eventId: [inBody("webhook_metadata.event.id"), inBody("id")],
  identity: {
    why: "webhook_metadata.event.id is that of the event; the id beside it is that of the delivery's record.",
    source: "https://devcenter.heroku.com/articles/app-webhooks",
  },
  eventType: [inBody("webhook_metadata.event.include"), inBody("resource")],
  secretHelp: "The secret that was given or shown when the webhook was added.",
  whereToPaste:
    "App → More → View webhooks → Create Webhook, or heroku webhooks:add " +
    "-u with the catch URL; the response shows the secret once.",
  docsUrl: "https://devcenter.heroku.com/articles/app-webhooks",
  proof: { describedBy: "others" },
};
