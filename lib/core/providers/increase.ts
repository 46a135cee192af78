import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks, standardScheme } from "./shapes/standard-webhooks.ts";

/** The key is the secret's text: Increase's package encodes it before the library decodes it. */
export const increase: Provider = {
  id: "increase",
  name: "Increase",
  ...byStandardWebhooks,
  scheme: { ...standardScheme("webhook", { prefixRequired: false }), secret: { decode: "utf8" } },
  eventType: [inBody("category")],
  secretHelp: "The shared_secret of the event subscription. It is used as text, without decoding.",
  whereToPaste:
    "Dashboard → Developers → Webhooks, or POST /event_subscriptions with the " +
    "catch URL as url, and with a shared_secret of your choice.",
  docsUrl: "https://increase.com/documentation/webhooks",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
