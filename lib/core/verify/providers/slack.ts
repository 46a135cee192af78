import { slackHandshakes } from "#lib/core/handshake/senders.ts";
import type { Provider } from "../provider.ts";

/** Events are JSON, slash commands and interactivity are forms: both are signed as raw bytes. */
export const slack: Provider = {
  id: "slack",
  name: "Slack",
  scheme: {
    kind: "mac",
    mac: "hmac",
    hash: "sha256",
    encoding: "hex",
    signature: {
      sources: [{ from: "header", name: "x-slack-signature" }],
      format: { type: "prefixed", prefix: "v0=" },
    },
    signed: { template: "v0:{timestamp}:{body}" },
    secret: { decode: "utf8" },
    timestamp: {
      source: { from: "header", name: "x-slack-request-timestamp" },
      unit: "s",
      pastSeconds: 300,
      futureSeconds: 300,
    },
  },
  eventId: [
    { from: "body", path: "event_id" },
    { from: "body", path: "trigger_id" },
  ],
  eventType: [
    { from: "body", path: "event.type" },
    { from: "body", path: "type" },
    { from: "body", path: "command" },
  ],
  secretHelp:
    "The app's Signing Secret (32 hexadecimal characters, used as text). Not the verification token.",
  whereToPaste:
    "api.slack.com/apps → your app → Basic Information shows the Signing Secret; Event Subscriptions, Slash Commands or Interactivity take the catch URL as Request URL.",
  docsUrl: "https://docs.slack.dev/authentication/verifying-requests-from-slack",
  handshakes: slackHandshakes,
  answer: {},
};
