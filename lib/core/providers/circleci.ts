import { pairMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Only `v1` counts, as CircleCI requires: another version in the header could be weaker. */
export const circleci: Provider = {
  id: "circleci",
  name: "CircleCI",
  scheme: pairMac("circleci-signature", { timeKey: null }),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the event. CircleCI says to use it against repetitions.",
    source: "https://circleci.com/docs/guides/integration/outbound-webhooks/",
  },
  eventType: [inHeader("circleci-event-type"), inBody("type")],
  secretHelp: "The Secret token that you typed when you made the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Project Settings → Webhooks → Add Webhook: paste the catch URL as Receiver URL and fill in Secret token.",
  docsUrl: "https://circleci.com/docs/guides/integration/outbound-webhooks/",
  proof: { examples: 2, describedBy: "provider" },
  respondWithinSeconds: 10,
};
