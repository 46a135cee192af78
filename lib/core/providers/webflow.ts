import { stampedMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Webhooks made in the dashboard are not signed. */
export const webflow: Provider = {
  id: "webflow",
  name: "Webflow",
  scheme: stampedMac("x-webflow-signature", "x-webflow-timestamp", {
    template: "{timestamp}:{body}",
    unit: "ms",
  }),
  eventId: [{ ...byContent, withinSeconds: 3_600 }],
  identity: {
    why:
      "There is no id that every event has. Equal bodies are one event for " +
      "an hour; Webflow tries three times, ten minutes apart.",
    source: "https://developers.webflow.com/data/docs/working-with-webhooks",
  },
  eventType: [inBody("triggerType")],
  secretHelp: "The app's client secret, or the secret of a webhook that was made over the API.",
  whereToPaste:
    "Create the webhook over the API (POST /v2/sites/{site}/webhooks) with the " +
    "catch URL as url. Those made in the dashboard carry no signature.",
  docsUrl: "https://developers.webflow.com/data/docs/working-with-webhooks",
  proof: { describedBy: "others" },
  respondWithinSeconds: 30,
};
