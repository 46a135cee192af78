/** GitLab sends a shared token; newer versions can sign instead. A hook is pinned to one of the two. */
import type { Provider } from "../provider.ts";
import { standardScheme } from "./standard-webhooks.ts";

export const gitlab: Provider = {
  id: "gitlab",
  name: "GitLab (secret token)",
  scheme: { kind: "token", source: { from: "header", name: "x-gitlab-token" } },
  eventId: [
    { from: "header", name: "idempotency-key" },
    { from: "header", name: "x-gitlab-event-uuid" },
  ],
  eventType: [
    { from: "header", name: "x-gitlab-event" },
    { from: "body", path: "object_kind" },
  ],
  secretHelp: "The text that you typed into the webhook's Secret token field.",
  whereToPaste:
    "Project or group → Settings → Webhooks → Add new webhook: paste the catch URL and fill in Secret token. GitLab switches a webhook off when it is answered with 4xx.",
  docsUrl: "https://docs.gitlab.com/user/project/integrations/webhooks/",
};

/**
 * https://gitlab.com/gitlab-org/gitlab/-/merge_requests/230944 says Standard Webhooks. How the token becomes the key is
 * not said there, so the one form that can't be misread is taken: `whsec_` and base64.
 */
export const gitlabSigning: Provider = {
  ...gitlab,
  id: "gitlab-signing",
  name: "GitLab (signing token)",
  scheme: standardScheme("webhook", { prefixRequired: true }),
  eventId: [{ from: "header", name: "webhook-id" }, ...gitlab.eventId],
  secretHelp:
    "The webhook's signing token, whole, with its whsec_. What follows the prefix is base64 and is decoded.",
  whereToPaste:
    "Project or group → Settings → Webhooks → Add new webhook: paste the catch URL and set a signing token. Versions without that field need the provider GitLab (secret token).",
  secretStartsWith: "whsec_",
};
