import { hook0Id, hook0Scheme, hook0Type } from "./shapes/hook0.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The name of the event's id in older documentation of Coinbase. */
const formerId = "x-hook0-id";

export const coinbaseCdp: Provider = {
  id: "coinbase-cdp",
  name: "Coinbase Developer Platform",
  scheme: hook0Scheme([hook0Id, hook0Type, formerId]),
  eventId: [inHeader(hook0Id), inHeader(formerId)],
  identity: {
    why:
      "Each event has its own X-Event-Id, which is signed and stays the same on retries. Fields of " +
      "the body don't count: a transaction has several events.",
    source: "https://docs.cdp.coinbase.com/webhooks/verify-signatures",
  },
  eventType: [inHeader(hook0Type), inBody("eventType")],
  secretHelp:
    "The secret in the response that created the subscription. It isn't an API key, and each subscription has its own.",
  whereToPaste:
    "Create a subscription with `cdp data webhooks subscriptions create` or the API, with the catch URL as " +
    "target.url. The values of target.headers must have no dots.",
  docsUrl: "https://docs.cdp.coinbase.com/webhooks/verify-signatures",
  proof: { describedBy: "provider" },
  marks: {
    body: [
      {
        path: "eventType",
        is: /^(?:onramp|offramp|onchain|wallet|payments|checkout)\.[a-z_]+\.[a-z_]+$/,
        why: "its body has an event type of Coinbase",
      },
    ],
  },
};
