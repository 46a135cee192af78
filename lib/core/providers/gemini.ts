import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

/** Static webhooks. Dynamic ones, named in a request to the API, are signed with Google's keys. */
export const gemini: Provider = {
  id: "gemini",
  name: "Gemini API",
  ...byStandardWebhooks,
  secretHelp: "The signing secret that the API returns once, when the webhook is created.",
  whereToPaste:
    "Call webhooks.create of the Gemini API with the catch URL as uri and keep new_signing_secret of its response.",
  docsUrl: "https://ai.google.dev/gemini-api/docs/webhooks",
  proof: { package: "standardwebhooks", describedBy: "provider" },
  marks: {
    body: [
      {
        path: "type",
        is: /^(?:batch\.(?:succeeded|expired|failed)|interaction\.(?:requires_action|completed|failed)|video\.generated)$/,
        why: "its type is one of Gemini's",
      },
    ],
  },
};
