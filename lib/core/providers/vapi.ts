import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const vapi: Provider = {
  id: "vapi",
  name: "Vapi",
  scheme: bodyMac("x-vapi-signature"),
  eventId: [byContent],
  identity: {
    why: "The body holds the kind of message, the call, and the time to the millisecond.",
    source: null,
  },
  eventType: [inBody("message.type")],
  secretHelp: "The secret that you set for the server URL with HMAC.",
  isSecretChosen: true,
  whereToPaste:
    "Dashboard → Assistant → Messaging → Server URL: paste the catch URL and set the HMAC secret.",
  docsUrl: "https://docs.vapi.ai/server-url/server-authentication",
  proof: { describedBy: "others" },
};
