import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const checkoutCom: Provider = {
  id: "checkout-com",
  name: "Checkout.com",
  scheme: bodyMac("cko-signature"),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is the event id, which stays the same on retries.",
    source: null,
  },
  eventType: [inBody("type")],
  secretHelp: "The signature key of the webhook action, as typed or generated.",
  whereToPaste:
    "Dashboard → Workflows → your workflow → Webhook action: paste the catch URL and set the signature key.",
  docsUrl: "https://www.checkout.com/docs/developer-resources/webhooks",
  proof: { describedBy: "others" },
  marks: {
    body: [
      {
        path: "id",
        is: /^evt_[a-z0-9]{26}$/,
        why: "its id is evt_ and 26 small letters and digits",
      },
      { path: "data.id", is: /^[a-z]{3}_[a-z0-9]{26}$/, why: "its data has an id of Checkout.com" },
      { path: "_links.self.href", is: /\.checkout\.com\//, why: "its links lead to checkout.com" },
    ],
  },
};
