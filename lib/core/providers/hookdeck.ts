import { bodyMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Through Hookdeck: the signature is Hookdeck's own, not the original provider's. */
export const hookdeck: Provider = {
  id: "hookdeck",
  name: "Hookdeck (as relay)",
  scheme: {
    ...bodyMac("x-hookdeck-signature", { encoding: "base64" }),
    signature: {
      sources: [
        { from: "header", name: "x-hookdeck-signature" },
        { from: "header", name: "x-hookdeck-signature-2" },
      ],
      format: { type: "bare" },
    },
  },
  eventId: [inHeader("x-hookdeck-eventid")],
  identity: {
    why: "Hookdeck gives each event an id and keeps it for every attempt.",
    source: null,
  },
  eventType: [inBody("type")],
  secretHelp:
    "The project's signing secret, used as text. While it is rotated, both signatures count.",
  whereToPaste:
    "Hookdeck → Connections → Destination: paste the catch URL; Settings → Secrets shows the signing secret.",
  docsUrl: "https://hookdeck.com/docs/authentication",
  proof: { describedBy: "provider" },
};
