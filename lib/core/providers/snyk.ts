import { bodyMac } from "./shapes/mac.ts";
import { allOf, byContent, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://docs.snyk.io/snyk-api/using-specific-snyk-apis/webhooks-apis/webhooks";

/**
 * Compared with
 * https://docs.snyk.io/snyk-api/using-specific-snyk-apis/webhooks-apis/validation-and-versioning-of-payloads
 * on 2026-11-28.
 */
export const snyk: Provider = {
  id: "snyk",
  name: "Snyk",
  scheme: bodyMac("x-hub-signature", { prefix: "sha256=" }),
  eventId: [inHeader("x-snyk-transport-id"), allOf(inHeader("x-snyk-event"), byContent), byContent],
  identity: {
    why: "X-Snyk-Transport-ID identifies the delivery. Snyk doesn't say whether a further try keeps it.",
    source: docsUrl,
  },
  eventType: [inHeader("x-snyk-event")],
  secretHelp: "The secret that you gave the API when you created the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "POST /v1/org/{orgId}/webhooks of Snyk's API with the catch URL as url, and a secret.",
  docsUrl,
  proof: { describedBy: "provider" },
  marks: { userAgent: /^Snyk-Webhooks/ },
};
