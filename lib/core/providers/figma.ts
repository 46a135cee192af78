import { allOf, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The passcode is in the body: it proves the origin, not the content. */
export const figma: Provider = {
  id: "figma",
  name: "Figma",
  scheme: { kind: "token", source: { from: "body", path: "passcode" } },
  eventId: [
    allOf(inBody("webhook_id"), inBody("event_type"), inBody("timestamp"), inBody("comment_id")),
    allOf(inBody("webhook_id"), inBody("event_type"), inBody("timestamp"), inBody("file_key")),
    allOf(inBody("webhook_id"), inBody("event_type"), inBody("timestamp")),
  ],
  identity: {
    why: "There is no id, and retries in the body counts the tries, so webhook, type, time, and comment or file count.",
  },
  eventType: [inBody("event_type")],
  secretHelp: "The passcode that you gave when you made the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Create the webhook over the API (POST /v2/webhooks) with the catch URL as endpoint and a passcode of your own.",
  docsUrl: "https://developers.figma.com/docs/rest-api/webhooks/",
  proof: { describedBy: "provider" },
};
