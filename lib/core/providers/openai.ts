import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks, standardScheme } from "./shapes/standard-webhooks.ts";

/**
 * OpenAI's own package only decodes a secret with its prefix, so without one the key would differ.
 */
export const openai: Provider = {
  ...byStandardWebhooks,
  id: "openai",
  name: "OpenAI",
  scheme: standardScheme("webhook", { prefixRequired: true }),
  whereToPaste:
    "platform.openai.com → Settings → your project → Webhooks → Create: paste " +
    "the catch URL and copy the signing secret, which is shown once.",
  docsUrl: "https://platform.openai.com/docs/guides/webhooks",
  proof: { package: "standardwebhooks", describedBy: "provider" },
  secretStartsWith: "whsec_",
  marks: {
    body: [
      {
        path: "type",
        is: /^(?:response|batch|fine_tuning\.job|eval\.run|realtime\.call)\./,
        why: "its type is one of OpenAI's",
      },
    ],
  },
};
