import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** BigCommerce documents no signature, so a custom header must contain the token. */
export const bigcommerce: Provider = {
  id: "bigcommerce",
  name: "BigCommerce",
  scheme: { kind: "token", source: { from: "header", name: "authorization" } },
  eventId: [{ ...byContent, withinSeconds: 172_800 }],
  identity: {
    why: "The body holds the object and the second of the change, no id; BigCommerce tries again for up to 48 hours.",
    source: "https://docs.bigcommerce.com/docs/integrations/webhooks",
  },
  eventType: [inBody("scope")],
  secretHelp: "The value that you give the header Authorization when you make the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Create the webhook over the API (POST /v3/hooks) with the catch URL as " +
    'destination and headers {"Authorization": "<a long random value>"}.',
  docsUrl: "https://docs.bigcommerce.com/docs/integrations/webhooks",
  proof: { describedBy: "provider" },
  marks: {
    body: [
      {
        path: "scope",
        is: /^store\/[A-Za-z]/,
        why: "its scope starts with store/",
        isSure: true,
      },
      { path: "producer", is: /^stores\/\w+$/, why: "its producer is a store of BigCommerce" },
    ],
  },
};
