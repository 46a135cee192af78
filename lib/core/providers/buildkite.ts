import { pairMac } from "./shapes/mac.ts";
import { byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const buildkite: Provider = {
  id: "buildkite",
  name: "Buildkite",
  scheme: pairMac("x-buildkite-signature", { key: "signature", timeKey: "timestamp" }),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "There is no id of the event. The body holds the state of build or job " +
      "with its times; equal bodies are one event for a day.",
    source: "https://buildkite.com/docs/apis/webhooks",
  },
  eventType: [inHeader("x-buildkite-event"), inBody("event")],
  secretHelp: "The webhook's token, used as text, with Send an HMAC signature switched on.",
  whereToPaste:
    "Buildkite → Settings → Notification Services → Add Webhook: paste the " +
    "catch URL and choose to send the token as an HMAC signature.",
  docsUrl: "https://buildkite.com/docs/apis/webhooks",
  proof: { describedBy: "provider" },
};
