import { stampedMac } from "./shapes/mac.ts";
import { byContent, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const mac = stampedMac("x-sinch-webhook-signature", "x-sinch-webhook-signature-timestamp", {
  template: "{body}.{id}.{timestamp}",
  encoding: "base64",
});

/** Conversation and SMS API. Voice and Verification sign in another way, as the app's requests. */
export const sinch: Provider = {
  id: "sinch",
  name: "Sinch (Conversation and SMS)",
  scheme: {
    ...mac,
    signed: { ...mac.signed, values: { id: inHeader("x-sinch-webhook-signature-nonce") } },
  },
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "A message has one id through queued, delivered, and read. The body has the " +
      "status with its times, and equal bodies are one event for a day.",
    source: null,
  },
  eventType: [],
  secretHelp: "The secret that you gave the webhook. Not the project's key secret.",
  isSecretChosen: true,
  whereToPaste:
    "Dashboard → Conversation API → Apps → your app → Webhooks → Add webhook: " +
    "paste the catch URL as target and fill in the secret token.",
  docsUrl: "https://developers.sinch.com/docs/conversation/callbacks",
  proof: { examples: 1, describedBy: "provider" },
};
