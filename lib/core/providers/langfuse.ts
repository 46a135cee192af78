import { pairMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const langfuse: Provider = {
  id: "langfuse",
  name: "Langfuse",
  scheme: pairMac("x-langfuse-signature"),
  eventId: [inBody("id")],
  identity: { why: "The body's id is that of the event.", source: null },
  eventType: [inBody("type")],
  secretHelp: "The automation's webhook secret, shown when it is made.",
  whereToPaste:
    "Project → Prompts → Automations → Create: paste the catch URL and copy the secret.",
  docsUrl: "https://langfuse.com/docs/prompt-management/features/webhooks-slack-integrations",
  proof: { describedBy: "others" },
};
