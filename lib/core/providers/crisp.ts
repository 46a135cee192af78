import { stampedMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const crisp: Provider = {
  id: "crisp",
  name: "Crisp",
  scheme: stampedMac("x-crisp-signature", "x-crisp-request-timestamp", {
    template: "[{timestamp};{body}]",
    unit: "ms",
  }),
  eventId: [byContent],
  identity: {
    why: "The body holds the event, its data, and the time to the millisecond.",
    source: null,
  },
  eventType: [inBody("event")],
  secretHelp: "The signing secret of the plugin or web hook.",
  whereToPaste:
    "Settings → Advanced configuration → Web Hooks → Add: paste the catch URL and copy the secret.",
  docsUrl: "https://docs.crisp.chat/guides/web-hooks/",
  proof: { describedBy: "others" },
};
