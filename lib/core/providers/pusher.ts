import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** `X-Pusher-Key` names the key whose secret signed; several can be active here. */
export const pusher: Provider = {
  id: "pusher",
  name: "Pusher Channels",
  scheme: bodyMac("x-pusher-signature"),
  eventId: [byContent],
  identity: {
    why: "Events have no id. The body holds the time to the millisecond, and an event is told by its place in it.",
    source: "https://pusher.com/docs/channels/server_api/webhooks/",
  },
  eventType: [inBody("events.0.name")],
  batch: eventsAt("events", { keepsEnvelope: true, otherwise: "place", eventType: [["name"]] }),
  secretHelp: "The app's secret, of the App Keys that are in use.",
  whereToPaste:
    "Channels → your app → Webhooks → Add: paste the catch URL; App Keys shows the secret.",
  docsUrl: "https://pusher.com/docs/channels/server_api/webhooks/",
  proof: { package: "pusher", describedBy: "provider" },
  respondWithinSeconds: 4,
};
