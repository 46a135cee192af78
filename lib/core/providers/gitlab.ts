import { allOf, byContent, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const gitlab: Provider = {
  id: "gitlab",
  name: "GitLab (secret token)",
  scheme: { kind: "token", source: { from: "header", name: "x-gitlab-token" } },
  eventId: [inHeader("idempotency-key"), allOf(inHeader("x-gitlab-event-uuid"), byContent)],
  identity: {
    why:
      "Idempotency-Key stays the same on retries. Older versions have only the event " +
      "UUID, which recursive webhooks share, so the body counts too.",
    source: "https://docs.gitlab.com/user/project/integrations/webhooks/",
  },
  eventType: [
    { from: "header", name: "x-gitlab-event" },
    { from: "body", path: "object_kind" },
  ],
  secretHelp: "The text that you entered in the webhook's Secret token field.",
  isSecretChosen: true,
  whereToPaste:
    "Project or group → Settings → Webhooks → Add new webhook: paste the catch URL and " +
    "fill in Secret token. GitLab switches a webhook off when it is answered with 4xx.",
  docsUrl: "https://docs.gitlab.com/user/project/integrations/webhooks/",
  proof: { describedBy: "provider" },
  listing: { group: "used", place: 7 },
  marks: { userAgent: /^GitLab\// },
};
