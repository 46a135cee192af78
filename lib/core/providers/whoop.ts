import { stampedMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Compared with https://developer.whoop.com/docs/developing/webhooks on 2026-11-28. */
export const whoop: Provider = {
  id: "whoop",
  name: "WHOOP",
  scheme: stampedMac("x-whoop-signature", "x-whoop-signature-timestamp", {
    template: "{timestamp}{body}",
    encoding: "base64",
    unit: "ms",
  }),
  eventId: [inBody("trace_id")],
  identity: {
    why: "Each event has its own trace_id; id is that of the workout or sleep, which has many events.",
    source: "https://developer.whoop.com/docs/developing/webhooks",
  },
  eventType: [inBody("type")],
  secretHelp: "The app's client secret. Not an access token.",
  whereToPaste:
    "developer-dashboard.whoop.com → your app: add the catch URL " +
    "under Webhooks; the same page shows the client secret.",
  docsUrl: "https://developer.whoop.com/docs/developing/webhooks",
  proof: { describedBy: "provider" },
};
