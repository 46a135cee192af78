import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The signature is in the URL that PandaDoc calls. */
export const pandadoc: Provider = {
  id: "pandadoc",
  name: "PandaDoc",
  scheme: {
    ...bodyMac(""),
    signature: { sources: [{ from: "query", name: "signature" }], format: { type: "bare" } },
  },
  eventId: [inHeader("x-pandadoc-webhook-event-id"), byContent],
  identity: {
    why:
      "The header's id stays the same over automatic and manual retries, and an event of " +
      "a body is told by its place in it. Without the header, each event holds the " +
      "document, its state, and the time of the change to the microsecond.",
    source: "https://developers.pandadoc.com/docs/webhook-deduplication",
  },
  eventType: [inBody("0.event")],
  batch: eventsAt("", { otherwise: "place", eventType: [["event"]] }),
  secretHelp: "The shared key of the webhook, used as text. Not an API key.",
  whereToPaste:
    "Developer Dashboard → Configuration → Create webhook: paste the catch " +
    "URL; the shared key is shown in the list of webhooks.",
  docsUrl: "https://developers.pandadoc.com/docs/webhook-verification",
  proof: { describedBy: "provider" },
  marks: {
    body: [
      {
        path: "0.event",
        is: /^(?:document|recipient|quote|template)_/,
        why: "its body is a list of events as PandaDoc's are",
      },
    ],
  },
};
