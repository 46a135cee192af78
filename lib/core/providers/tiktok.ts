import { pairMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const tiktok: Provider = {
  id: "tiktok",
  name: "TikTok",
  scheme: pairMac("tiktok-signature", { key: "s" }),
  eventId: [byContent],
  identity: {
    why: "The body holds event, user, content, and the second of the event.",
    source: null,
  },
  eventType: [inBody("event")],
  secretHelp: "The app's client secret.",
  whereToPaste:
    "developers.tiktok.com → your app → Webhooks: paste the catch URL " +
    "as Callback URL; App details shows the client secret.",
  docsUrl: "https://developers.tiktok.com/doc/webhooks-verification",
  proof: { describedBy: "others" },
};
