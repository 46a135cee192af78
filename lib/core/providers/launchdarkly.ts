import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Compared with https://launchdarkly.com/docs/api/webhooks on 2026-11-28. */
export const launchdarkly: Provider = {
  id: "launchdarkly",
  name: "LaunchDarkly",
  scheme: bodyMac("x-ld-signature"),
  eventId: [inBody("_id")],
  identity: {
    why: "The body is an entry of the audit log, and _id is the entry's.",
    source: "https://launchdarkly.com/docs/api/webhooks",
  },
  eventType: [inBody("kind")],
  secretHelp: "The webhook's Secret. LaunchDarkly only signs if Sign this webhook is checked.",
  whereToPaste:
    "Organization settings → Integrations → Webhooks → Add " +
    "integration: paste the catch URL and check Sign this webhook.",
  docsUrl: "https://launchdarkly.com/docs/home/infrastructure/webhooks",
  proof: { describedBy: "provider" },
};
