import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const easypost: Provider = {
  id: "easypost",
  name: "EasyPost",
  scheme: {
    ...bodyMac("x-hmac-signature", { prefix: "hmac-sha256-hex=" }),
    secret: { decode: "utf8", normalize: "nfkd" },
  },
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is the event id, which stays the same on retries.",
    source: "https://docs.easypost.com/guides/webhooks-guide",
  },
  eventType: [inBody("description")],
  secretHelp: "The webhook secret that you set when you made the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Account Settings → Webhooks → Add Webhook: paste the catch URL and set a webhook secret.",
  docsUrl: "https://docs.easypost.com/guides/webhooks-guide",
  proof: { describedBy: "provider" },
  marks: {
    body: [
      { path: "object", is: /^Event$/, why: "its object is Event" },
      {
        path: "description",
        is: /^[a-z_]+\.[a-z_]+$/,
        why: "its type is in the field description",
      },
    ],
  },
};
