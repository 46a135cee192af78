import { stampedMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const metronome: Provider = {
  id: "metronome",
  name: "Metronome",
  scheme: stampedMac("metronome-webhook-signature", "x-metronome-date", {
    template: "{timestamp}\n{body}",
    unit: "http-date",
  }),
  eventId: [inBody("id")],
  identity: { why: "The body's id is that of the event.", source: null },
  eventType: [inBody("type")],
  secretHelp: "The webhook's secret, as its page shows it.",
  whereToPaste:
    "Metronome → Connections → Webhooks → Add: paste the catch URL and copy the secret.",
  docsUrl: "https://docs.metronome.com/developer-resources/webhooks/",
  proof: { describedBy: "others" },
};
