import { hook0Id, hook0Scheme, hook0Type } from "./shapes/hook0.ts";
import { inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const hook0: Provider = {
  id: "hook0",
  name: "Hook0",
  scheme: hook0Scheme([hook0Id, hook0Type]),
  eventId: [inHeader(hook0Id)],
  identity: {
    why: "Each event has its own X-Event-Id, which is signed and stays the same on retries.",
    source: "https://github.com/hook0/hook0/blob/master/output-worker/src/work.rs",
  },
  eventType: [inHeader(hook0Type)],
  secretHelp: "The secret of the subscription, a UUID.",
  whereToPaste:
    "Subscriptions → New: paste the catch URL, then copy the secret of the subscription. The values " +
    "of headers that you add must have no dots. Hook0 must sign with v1, which is the default " +
    "(ENABLED_SIGNATURE_VERSIONS); v0 alone is rejected.",
  docsUrl: "https://documentation.hook0.com/tutorials/webhook-authentication",
  proof: { examples: 5, describedBy: "provider" },
};
