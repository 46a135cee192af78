import { bodyMac } from "./shapes/mac.ts";
import { inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** `X-Hub-Signature` without the -256, although it is sha256. */
export const bitbucket: Provider = {
  id: "bitbucket",
  name: "Bitbucket Cloud",
  scheme: bodyMac("x-hub-signature", { prefix: "sha256=" }),
  eventId: [inHeader("x-request-uuid")],
  identity: {
    why: "Each event has its own X-Request-UUID; X-Attempt-Number counts the tries.",
    source: "https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/",
  },
  eventType: [inHeader("x-event-key")],
  secretHelp: "The webhook's Secret, as typed or generated.",
  whereToPaste:
    "Repository → Repository settings → Webhooks → Add webhook: paste the catch URL and fill in Secret.",
  docsUrl: "https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/",
  proof: { describedBy: "others" },
  marks: {
    userAgent: /^Bitbucket-Webhooks\//,
    body: [{ path: "actor.account_id", is: /./, why: "its body has an actor as Bitbucket's have" }],
  },
};
