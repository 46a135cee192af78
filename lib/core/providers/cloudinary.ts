import { stampedMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** A digest that ends with the secret. Accounts set to SHA-256 need custom. */
export const cloudinary: Provider = {
  id: "cloudinary",
  name: "Cloudinary",
  scheme: {
    ...stampedMac("x-cld-signature", "x-cld-timestamp", {
      template: "{body}{timestamp}{secret}",
      hash: "sha1",
      window: 7200,
    }),
    mac: "digest",
  },
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "There is no id. The body holds asset, version, and mostly a time; equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("notification_type")],
  secretHelp: "The product environment's API secret.",
  whereToPaste:
    "Settings → Webhook Notifications → Add: paste the catch URL; API Keys shows the API secret.",
  docsUrl: "https://cloudinary.com/documentation/notification_signatures",
  proof: { package: "cloudinary", describedBy: "provider" },
};
