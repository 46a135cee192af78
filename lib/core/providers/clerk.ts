import type { Provider } from "./shapes/provider.ts";
import { bySvix } from "./shapes/standard-webhooks.ts";

export const clerk: Provider = {
  ...bySvix,
  id: "clerk",
  name: "Clerk",
  eventType: [{ from: "body", path: "type" }],
  whereToPaste:
    "Clerk Dashboard → Configure → Webhooks → Add Endpoint: paste the " +
    "catch URL, then copy the Signing Secret of the endpoint.",
  docsUrl: "https://clerk.com/docs/webhooks/overview",
  proof: { package: "svix", describedBy: "provider" },
  secretStartsWith: "whsec_",
  listing: { group: "used", place: 12 },
  marks: {
    userAgent: /^Svix-Webhooks\//,
    body: [
      {
        path: "data.object",
        is: /^(?:user|session|organization|email|sms_message)/,
        why: "its data is an object of Clerk",
      },
    ],
  },
};
