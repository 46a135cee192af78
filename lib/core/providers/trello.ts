import { plain } from "./shapes/handshakes.ts";
import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Body first, then the URL exactly as registered. */
export const trello: Provider = {
  id: "trello",
  name: "Trello",
  scheme: {
    ...bodyMac("x-trello-webhook", { hash: "sha1", encoding: "base64" }),
    signed: { template: "{body}{url}" },
  },
  eventId: [inBody("action.id")],
  identity: {
    why: "action.id is that of the action.",
    source: "https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/",
  },
  eventType: [inBody("action.type")],
  secretHelp: "The OAuth secret of the Power-Up's API key. Not the key and not a token.",
  whereToPaste:
    "Create the webhook over the API (POST /1/webhooks) with the catch URL as " +
    "callbackURL; trello.com/power-ups/admin → API key shows the secret.",
  docsUrl: "https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/",
  proof: { describedBy: "provider" },
  handshakes: [plain("HEAD")],
};
