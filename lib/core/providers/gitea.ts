import { bodyMac } from "./shapes/mac.ts";
import { inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Form deliveries sign the decoded `payload` field instead of the bytes, so JSON must be chosen.
 */
export const gitea: Provider = {
  id: "gitea",
  name: "Gitea, Forgejo, Gogs",
  scheme: bodyMac("x-gitea-signature"),
  eventId: [inHeader("x-gitea-delivery")],
  identity: {
    why: "Each event has its own X-Gitea-Delivery. Gitea doesn't try again by itself.",
    source: "https://github.com/go-gitea/gitea/blob/main/services/webhook/deliver.go",
  },
  eventType: [inHeader("x-gitea-event")],
  secretHelp: "The text that you entered in the webhook's Secret field.",
  isSecretChosen: true,
  whereToPaste:
    "Repository → Settings → Webhooks → Add Webhook → Gitea: paste the catch URL as " +
    "Target URL, choose POST Content Type application/json and fill in Secret.",
  docsUrl: "https://docs.gitea.com/usage/webhooks",
  proof: { describedBy: "provider" },
};
