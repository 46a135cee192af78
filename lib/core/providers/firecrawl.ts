import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const firecrawl: Provider = {
  id: "firecrawl",
  name: "Firecrawl",
  scheme: bodyMac("x-firecrawl-signature", { prefix: "sha256=" }),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "The id is that of the job, which has many events. Equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("type")],
  secretHelp: "The account's webhook secret.",
  whereToPaste:
    "Send the catch URL as webhook.url with each job; Settings → Advanced shows the webhook secret.",
  docsUrl: "https://docs.firecrawl.dev/webhooks/security",
  proof: { describedBy: "others" },
};
