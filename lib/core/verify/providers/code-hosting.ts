/** Where code lives and is built. */
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, inBody, inHeader, pairMac } from "./shapes.ts";

export const codeHosting: readonly Provider[] = [
  /** Deliveries of the content type form sign the decoded `payload` field and not the bytes: JSON has to be chosen. */
  {
    id: "gitea",
    name: "Gitea, Forgejo, Gogs",
    scheme: bodyMac("x-gitea-signature"),
    eventId: [inHeader("x-gitea-delivery")],
    eventType: [inHeader("x-gitea-event")],
    secretHelp: "The text that you typed into the webhook's Secret field.",
    whereToPaste:
      "Repository → Settings → Webhooks → Add Webhook → Gitea: paste the catch URL as Target URL, choose POST Content Type application/json and fill in Secret.",
    docsUrl: "https://docs.gitea.com/usage/webhooks",
  },

  /** `X-Hub-Signature` without the -256, although it is sha256. */
  {
    id: "bitbucket",
    name: "Bitbucket Cloud",
    scheme: bodyMac("x-hub-signature", { prefix: "sha256=" }),
    eventId: [inHeader("x-request-uuid")],
    eventType: [inHeader("x-event-key")],
    secretHelp: "The webhook's Secret, as typed or generated.",
    whereToPaste:
      "Repository → Repository settings → Webhooks → Add webhook: paste the catch URL and fill in Secret.",
    docsUrl: "https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/",
    confirmed: false,
  },

  {
    id: "buildkite",
    name: "Buildkite",
    scheme: pairMac("x-buildkite-signature", { key: "signature", timeKey: "timestamp" }),
    eventId: [byContent],
    eventType: [inHeader("x-buildkite-event"), inBody("event")],
    secretHelp: "The webhook's token, used as text, with Send an HMAC signature switched on.",
    whereToPaste:
      "Buildkite → Settings → Notification Services → Add Webhook: paste the catch URL and choose to send the token as an HMAC signature.",
    docsUrl: "https://buildkite.com/docs/apis/webhooks",
  },

  /** Only `v1` counts, as CircleCI demands: another version in the header could be weaker. */
  {
    id: "circleci",
    name: "CircleCI",
    scheme: pairMac("circleci-signature", { timeKey: null }),
    eventId: [inBody("id")],
    eventType: [inHeader("circleci-event-type"), inBody("type")],
    secretHelp: "The Secret token that you typed when you made the webhook.",
    whereToPaste:
      "Project Settings → Webhooks → Add Webhook: paste the catch URL as Receiver URL and fill in Secret token.",
    docsUrl: "https://circleci.com/docs/guides/integration/outbound-webhooks/",
    answerWithinSeconds: 10,
  },

  {
    id: "sentry",
    name: "Sentry",
    scheme: bodyMac("sentry-hook-signature"),
    eventId: [inHeader("request-id")],
    eventType: [inHeader("sentry-hook-resource")],
    secretHelp: "The Client Secret of the integration. Not an auth token.",
    whereToPaste:
      "Settings → Developer Settings → Custom Integrations → your integration: paste the catch URL as Webhook URL; the Client Secret is further down the page.",
    docsUrl: "https://docs.sentry.io/organization/integrations/integration-platform/webhooks/",
    answerWithinSeconds: 1,
  },
];
