import { pairMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The key is the whole string including `whsec_`, not decoded. `v0` is a decoy of test mode and is
 * ignored.
 */
export const stripe: Provider = {
  id: "stripe",
  name: "Stripe",
  scheme: pairMac("stripe-signature"),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is the event id, which stays the same on retries.",
    source: "https://docs.stripe.com/api/events",
  },
  eventType: [inBody("type")],
  secretHelp: "The endpoint's complete signing secret, including whsec_. Not an API key (sk_…).",
  whereToPaste:
    "Stripe Dashboard → Developers (Workbench) → Webhooks → Add destination → Webhook " +
    "endpoint: paste the catch URL, then open the destination and reveal its signing secret.",
  docsUrl: "https://docs.stripe.com/webhooks/signature",
  proof: { package: "stripe", describedBy: "provider" },
  secretStartsWith: "whsec_",
  listing: { group: "used", place: 1 },
  marks: {
    userAgent: /^Stripe\/\d/,
    body: [
      // Checkout.com's secrets start the same, in lowercase only.
      { path: "id", is: /^evt_(?=.*[A-Z])[A-Za-z0-9]{14,}$/, why: "its id starts with evt_" },
      { path: "object", is: /^event$/, why: "its object is event" },
    ],
  },
};
