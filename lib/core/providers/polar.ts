import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks, standardScheme } from "./shapes/standard-webhooks.ts";

/**
 * Secrets made since 2026-09-08 are decoded as in Standard Webhooks; before, the key was the text
 * of the whole secret. Both start with `whsec_`, so both keys are tried, as in Polar's package
 * (https://github.com/polarsource/polar/pull/14102, https://github.com/polarsource/polar/pull/14117).
 */
export const polar: Provider = {
  id: "polar",
  name: "Polar",
  ...byStandardWebhooks,
  scheme: {
    ...standardScheme("webhook", { prefixRequired: false }),
    secret: { decode: "base64", stripPrefix: "whsec_", orText: true },
  },
  secretHelp:
    "The complete endpoint secret. Both of Polar's keys are tried: the part after whsec_ " +
    "decoded as base64, and the whole secret as text (secrets from before September 8, 2026).",
  whereToPaste:
    "Organisation → Settings → Webhooks → Add Endpoint: paste the catch " +
    "URL, choose the format Raw, and set or generate the secret.",
  docsUrl: "https://polar.sh/docs/integrate/webhooks/delivery",
  proof: { package: "standardwebhooks", describedBy: "provider" },
  marks: { userAgent: /^polar\.sh webhooks/ },
};
