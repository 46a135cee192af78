import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** `meta.id` is the event's in version 2 and the object's in version 1. */
export const pipedrive: Provider = {
  id: "pipedrive",
  name: "Pipedrive",
  scheme: { kind: "basic" },
  eventId: [
    allOf(
      inBody("meta.entity"),
      inBody("meta.entity_id"),
      inBody("meta.action"),
      inBody("meta.timestamp"),
    ),
    byContent,
  ],
  identity: {
    why: "A retry can change the body, so entity, action, and time count, which version 2 gives to the millisecond.",
    source: "https://pipedrive.readme.io/docs/guide-for-webhooks-v2",
  },
  eventType: [inBody("meta.action")],
  secretHelp: "HTTP Auth user name and password with a colon between them: user:password.",
  isSecretChosen: true,
  whereToPaste:
    "Tools and apps → Webhooks → Create new webhook: paste the catch URL as Endpoint URL " +
    "and fill in HTTP Auth username and password. Pipedrive does not sign.",
  docsUrl: "https://pipedrive.readme.io/docs/guide-for-webhooks-v2",
  proof: { describedBy: "provider" },
  marks: {
    body: [
      {
        path: "meta.host",
        is: /\.pipedrive\.com$/,
        why: "its host is one of Pipedrive's",
        isSure: true,
      },
      { path: "meta.entity", is: /^[a-z]+$/, why: "its body has meta.entity" },
      { path: "meta.webhook_id", is: /^\d+$/, why: "its body has meta.webhook_id" },
    ],
  },
};
