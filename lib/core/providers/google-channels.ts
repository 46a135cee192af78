import { allOf, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Bodies are empty: the event is in the headers. */
export const googleChannels: Provider = {
  id: "google-channels",
  name: "Google Drive, Calendar (channels)",
  scheme: { kind: "token", source: { from: "header", name: "x-goog-channel-token" } },
  eventId: [allOf(inHeader("x-goog-channel-id"), inHeader("x-goog-message-number"))],
  identity: {
    why: "The message number grows within a channel, so channel and number together are unique.",
    source: "https://developers.google.com/workspace/drive/api/guides/push",
  },
  eventType: [inHeader("x-goog-resource-state")],
  secretHelp: "The token that you gave to the watch call.",
  isSecretChosen: true,
  whereToPaste: "Call watch of the API with the catch URL as address and a token of your own.",
  docsUrl: "https://developers.google.com/workspace/drive/api/guides/push",
  proof: { describedBy: "others" },
  /** A channel starts with a message without a body. */
  handshakes: [
    {
      name: "sync message",
      methods: ["POST"],
      when: [{ ...inHeader("x-goog-resource-state"), equals: "sync" }],
      proof: "signature",
      respondsWhilePending: true,
      reply: { kind: "respond" },
    },
  ],
};
