import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Ramp's challenge is answered by an API call instead of the response, so it is left to the user.
 */
export const ramp: Provider = {
  id: "ramp",
  name: "Ramp",
  scheme: bodyMac("x-ramp-webhook-signature"),
  eventId: [inBody("id")],
  identity: {
    why: "Each event has an id of its own, which Ramp keeps on every attempt.",
    source: "https://docs.ramp.com/developer-api/v1/webhooks",
  },
  eventType: [inBody("type")],
  secretHelp: "The secret of the webhook, which the response to creating it holds.",
  whereToPaste:
    "Create the webhook over the API (POST /developer/v1/webhooks) with the " +
    "catch URL as endpoint_url. Ramp sends a challenge: read it in the delivery " +
    "and pass it to POST /developer/v1/webhooks/{id}/verify.",
  docsUrl: "https://docs.ramp.com/developer-api/v1/webhooks",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 10,
};
