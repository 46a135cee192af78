import { bodyMac } from "./shapes/mac.ts";
import { allOf, byContent, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Despite its name it isn't an HMAC: SHA-256 of the secret followed by the body. */
export const recharge: Provider = {
  id: "recharge",
  name: "Recharge",
  scheme: {
    ...bodyMac("x-recharge-hmac-sha256"),
    mac: "digest",
    signed: { template: "{secret}{body}" },
  },
  eventId: [
    { ...allOf(inHeader("x-recharge-topic"), byContent), withinSeconds: 172_800 },
    { ...byContent, withinSeconds: 172_800 },
  ],
  identity: {
    why:
      "There is no event id. The same topic with the same object is one " +
      "event for the 48 hours in which Recharge retries.",
    source: "https://docs.getrecharge.com/docs/webhooks-overview",
  },
  eventType: [inHeader("x-recharge-topic")],
  secretHelp:
    "The API Client Secret of the API token that created the webhook. Not the token itself.",
  whereToPaste:
    "Create the webhook over the API (POST /webhooks) with the catch URL as " +
    "address; Apps → API tokens → your token shows the API Client Secret.",
  docsUrl: "https://docs.getrecharge.com/docs/webhooks-overview",
  proof: { describedBy: "others" },
  respondWithinSeconds: 5,
};
