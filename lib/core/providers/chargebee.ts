import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const chargebee: Provider = {
  id: "chargebee",
  name: "Chargebee",
  scheme: { kind: "basic" },
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is the event id, which stays the same on retries.",
    source: null,
  },
  eventType: [inBody("event_type")],
  secretHelp: "User name and password with a colon between them: user:password.",
  isSecretChosen: true,
  whereToPaste:
    "Settings → Configure Chargebee → Webhooks → Add: paste the catch URL and " +
    "protect it with basic authentication. Chargebee does not sign.",
  docsUrl: "https://www.chargebee.com/docs/billing/2.0/site-configuration/webhook_settings",
  proof: { describedBy: "provider" },
  marks: {
    body: [
      { path: "api_version", is: /^v\d$/, why: "its body has an api_version as Chargebee's have" },
    ],
  },
};
