import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const plain: Provider = {
  id: "plain",
  name: "Plain",
  scheme: bodyMac("plain-request-signature"),
  eventId: [inBody("id")],
  identity: { why: "The body's id is that of the event.", source: null },
  eventType: [inBody("type")],
  secretHelp: "The HMAC secret of the workspace, under Request signing.",
  whereToPaste:
    "Settings → Webhooks → Add: paste the catch URL; Settings → Request signing shows the secret.",
  docsUrl: "https://www.plain.com/docs/api-reference/request-signing",
  proof: { describedBy: "others" },
};
