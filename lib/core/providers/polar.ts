import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks, standardScheme } from "./shapes/standard-webhooks.ts";

/**
 * The key is the whole secret's text: Polar's package encodes it before the library decodes it
 * again.
 */
export const polar: Provider = {
  id: "polar",
  name: "Polar",
  ...byStandardWebhooks,
  scheme: { ...standardScheme("webhook", { prefixRequired: false }), secret: { decode: "utf8" } },
  secretHelp: "The complete endpoint secret. It is used as text, without decoding.",
  whereToPaste:
    "Organisation → Settings → Webhooks → Add Endpoint: paste the catch URL, choose the format Raw, and set or generate the secret.",
  docsUrl: "https://polar.sh/docs/integrate/webhooks/delivery",
  proof: { package: "standardwebhooks", describedBy: "provider" },
};
