import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Hugging Face doesn't sign, but sends the secret itself. Compared with
 * https://huggingface.co/docs/hub/webhooks on 2026-11-28.
 */
export const huggingFace: Provider = {
  id: "hugging-face",
  name: "Hugging Face",
  scheme: { kind: "token", source: { from: "header", name: "x-webhook-secret" } },
  eventId: [],
  identity: {
    why:
      "An event has neither an id nor a time, and a repo that is renamed back " +
      "and forth sends equal bodies. Every delivery is an event.",
    source: "https://huggingface.co/docs/hub/webhooks",
  },
  eventType: [inBody("event.scope")],
  secretHelp: "The webhook's Secret, as you entered it. Only ASCII characters.",
  isSecretChosen: true,
  whereToPaste:
    "huggingface.co/settings/webhooks → Add a new webhook: paste the catch URL as Target URL and fill in Secret.",
  docsUrl: "https://huggingface.co/docs/hub/webhooks",
  proof: { describedBy: "provider" },
};
