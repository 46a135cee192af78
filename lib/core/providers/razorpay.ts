import { bodyMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const razorpay: Provider = {
  id: "razorpay",
  name: "Razorpay",
  scheme: bodyMac("x-razorpay-signature"),
  eventId: [inHeader("x-razorpay-event-id")],
  identity: {
    why: "Each event has its own x-razorpay-event-id, which stays the same on retries.",
    source: "https://razorpay.com/docs/webhooks/validate-test/",
  },
  eventType: [inBody("event")],
  secretHelp: "The Secret that you typed for the webhook. Not the API key secret.",
  isSecretChosen: true,
  whereToPaste:
    "Dashboard → Account & Settings → Webhooks → Add New Webhook: paste the catch URL and fill in Secret.",
  docsUrl: "https://razorpay.com/docs/webhooks/validate-test/",
  proof: { package: "razorpay", describedBy: "provider" },
  marks: { userAgent: /^Razorpay-Webhook\// },
};
