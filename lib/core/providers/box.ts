import { stampedMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Body first, then the time. Two keys can be active, each with its own signature header. */
export const box: Provider = {
  id: "box",
  name: "Box",
  scheme: {
    ...stampedMac("box-signature-primary", "box-delivery-timestamp", {
      template: "{body}{timestamp}",
      encoding: "base64",
      unit: "rfc3339",
      window: 600,
    }),
    signature: {
      sources: [
        { from: "header", name: "box-signature-primary" },
        { from: "header", name: "box-signature-secondary" },
      ],
      format: { type: "bare" },
    },
    requiredHeaders: [
      { name: "box-signature-version", value: "1" },
      { name: "box-signature-algorithm", value: "HmacSHA256" },
    ],
  },
  eventId: [inBody("id")],
  identity: {
    why: "The body's id stays the same when Box tries again; BOX-DELIVERY-ID beside it changes.",
    source: null,
  },
  eventType: [inBody("trigger")],
  secretHelp: "The app's primary or secondary signature key.",
  whereToPaste:
    "Developer Console → your app → Webhooks: Create with the catch " +
    "URL; Manage signature keys makes and shows the keys.",
  docsUrl: "https://developer.box.com/guides/webhooks/v2/signatures-v2/",
  proof: { examples: 3, describedBy: "provider" },
};
