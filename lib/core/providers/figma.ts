import { allOf, contentExcept, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The passcode is in the body: it proves the origin, not the content. */
export const figma: Provider = {
  id: "figma",
  name: "Figma",
  scheme: { kind: "token", source: { from: "body", path: "passcode" } },
  eventId: [
    allOf(
      inBody("webhook_id"),
      inBody("event_type"),
      inBody("timestamp"),
      contentExcept("retries", "passcode"),
    ),
    contentExcept("retries", "passcode"),
  ],
  identity: {
    why:
      "There is no id, and a save can cause several events in one second, which differ in a " +
      "node, a comment, or the list of assets. Only retries changes with each try.",
    source: "https://developers.figma.com/docs/rest-api/webhooks-events/",
  },
  eventType: [inBody("event_type")],
  secretHelp: "The passcode that you gave when you made the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Create the webhook over the API (POST /v2/webhooks) with the catch URL as endpoint and a passcode of your own.",
  docsUrl: "https://developers.figma.com/docs/rest-api/webhooks/",
  proof: { describedBy: "provider" },
};
