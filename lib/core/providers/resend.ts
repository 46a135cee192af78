import type { Provider } from "./shapes/provider.ts";
import { bySvix } from "./shapes/standard-webhooks.ts";

export const resend: Provider = {
  ...bySvix,
  id: "resend",
  name: "Resend",
  eventType: [{ from: "body", path: "type" }],
  whereToPaste:
    "Resend → Webhooks → Add Webhook: paste the catch URL, then copy the Signing Secret on the webhook's page.",
  docsUrl: "https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests",
  proof: { package: "resend", describedBy: "provider" },
  secretStartsWith: "whsec_",
  marks: {
    userAgent: /^Svix-Webhooks\//,
    body: [{ path: "type", is: /^(?:email|contact|domain)\./, why: "its type is one of Resend's" }],
  },
};
