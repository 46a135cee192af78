import { pairMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const retell: Provider = {
  id: "retell",
  name: "Retell AI",
  scheme: pairMac("x-retell-signature", {
    template: "{body}{timestamp}",
    key: "d",
    timeKey: "v",
    unit: "ms",
  }),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "The call_id is that of the call, which has many events. Equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("event")],
  secretHelp: "The API key that is marked for webhooks.",
  whereToPaste:
    "Dashboard → Webhooks (or the agent's settings): paste the catch URL as Webhook URL; API Keys shows the key.",
  docsUrl: "https://docs.retellai.com/features/secure-webhook",
  proof: { describedBy: "others" },
};
