import { echoQuery } from "./shapes/handshakes.ts";
import { bodyMac } from "./shapes/mac.ts";
import type { Provider } from "./shapes/provider.ts";

/** A ping: it says whose files changed, not what changed. */
export const dropbox: Provider = {
  id: "dropbox",
  name: "Dropbox",
  scheme: bodyMac("x-dropbox-signature"),
  eventId: [],
  identity: {
    why:
      "A notification only names accounts in which something changed, so " +
      "the next one looks the same. Every delivery is an event.",
    source: "https://www.dropbox.com/developers/reference/webhooks",
  },
  eventType: [],
  secretHelp: "The app's App secret. Not the App key and not a token.",
  whereToPaste:
    "App Console → your app → Webhooks: paste the catch URL; Settings shows the App secret.",
  docsUrl: "https://www.dropbox.com/developers/reference/webhooks",
  proof: { describedBy: "others" },
  handshakes: [echoQuery("challenge")],
  respondWithinSeconds: 10,
};
