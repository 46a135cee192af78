import { stampedMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const front: Provider = {
  id: "front",
  name: "Front",
  scheme: stampedMac("x-front-signature", "x-front-request-timestamp", {
    template: "{timestamp}:{body}",
    encoding: "base64",
    unit: "ms",
  }),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "Application webhooks document no id that every event has. Equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("type")],
  secretHelp: "The app's signing key.",
  whereToPaste:
    "Settings → Developers → your app → Features → Webhook: paste the catch URL; the signing key is on the app's page.",
  docsUrl: "https://dev.frontapp.com/docs/webhooks-1",
  proof: { describedBy: "others" },
};
