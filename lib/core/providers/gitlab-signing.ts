import { allOf, byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { standardScheme } from "./shapes/standard-webhooks.ts";

/**
 * https://gitlab.com/gitlab-org/gitlab/-/merge_requests/230944 says Standard Webhooks. It doesn't
 * say how the token becomes the key, so only the unambiguous format is accepted: `whsec_` and
 * base64.
 */
export const gitlabSigning: Provider = {
  id: "gitlab-signing",
  name: "GitLab (signing token)",
  scheme: standardScheme("webhook", { prefixRequired: true }),
  eventId: [
    inHeader("webhook-id"),
    inHeader("idempotency-key"),
    allOf(inHeader("x-gitlab-event-uuid"), byContent),
  ],
  identity: {
    why: "webhook-id and Idempotency-Key are the same on every attempt.",
    source: "https://docs.gitlab.com/user/project/integrations/webhooks/",
  },
  eventType: [inHeader("x-gitlab-event"), inBody("object_kind")],
  secretHelp:
    "The webhook's signing token, including whsec_. What follows the prefix is base64 and is decoded.",
  whereToPaste:
    "Project or group → Settings → Webhooks → Add new webhook: paste the catch URL and set " +
    "a signing token. Versions without that field need the provider GitLab (secret token).",
  secretStartsWith: "whsec_",
  docsUrl: "https://docs.gitlab.com/user/project/integrations/webhooks/",
  proof: { package: "standardwebhooks", describedBy: "provider" },
  marks: { userAgent: /^GitLab\// },
};
