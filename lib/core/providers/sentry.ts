import { bodyMac } from "./shapes/mac.ts";
import { inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const sentry: Provider = {
  id: "sentry",
  name: "Sentry",
  scheme: bodyMac("sentry-hook-signature"),
  eventId: [inHeader("request-id")],
  identity: {
    why: "Each request has its own Request-ID. We found no page that says whether a further try keeps it.",
    source: "https://docs.sentry.io/organization/integrations/integration-platform/webhooks/",
  },
  eventType: [inHeader("sentry-hook-resource")],
  secretHelp: "The Client Secret of the integration. Not an auth token.",
  whereToPaste:
    "Settings → Developer Settings → Custom Integrations → your integration: paste the " +
    "catch URL as Webhook URL; the Client Secret is further down the page.",
  docsUrl: "https://docs.sentry.io/organization/integrations/integration-platform/webhooks/",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 1,
};
