import { bodyMac } from "./shapes/mac.ts";
import { inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** No timestamp is sent: only de-duplication by `X-GitHub-Delivery` stops replays. */
export const github: Provider = {
  id: "github",
  name: "GitHub",
  scheme: bodyMac("x-hub-signature-256", { prefix: "sha256=" }),
  eventId: [inHeader("x-github-delivery")],
  identity: {
    why: "Each event has its own X-GitHub-Delivery, which stays the same on redelivery.",
    source: "https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks",
  },
  eventType: [inHeader("x-github-event")],
  // With the content type application/x-www-form-urlencoded, GitHub's default.
  payloadField: "payload",
  secretHelp:
    "The text that you entered in the webhook's Secret field. GitHub doesn't show it again.",
  isSecretChosen: true,
  whereToPaste:
    "Repository or organization → Settings → Webhooks → Add webhook: paste the catch " +
    "URL as Payload URL, choose application/json and fill in Secret.",
  docsUrl: "https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries",
  proof: { package: "@octokit/webhooks-methods", examples: 1, describedBy: "provider" },
  listing: { group: "used", place: 2 },
  marks: { userAgent: /^GitHub-Hookshot\// },
};
