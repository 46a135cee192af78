import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const clickup: Provider = {
  id: "clickup",
  name: "ClickUp",
  scheme: bodyMac("x-signature"),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "History items have ids, but not every event has one, and a deleted task " +
      "names only itself. Equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("event")],
  secretHelp: "The secret in the response to the call that made the webhook.",
  whereToPaste:
    "Create the webhook over the API (POST /team/{team}/webhook) with " +
    "the catch URL as endpoint; the response holds the secret.",
  docsUrl: "https://developer.clickup.com/docs/webhooksignature",
  proof: { describedBy: "others" },
  marks: { body: [{ path: "webhook_id", is: /./, why: "its body has a webhook_id" }] },
};
