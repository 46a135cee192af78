import { challenge } from "./shapes/handshakes.ts";
import { stampedMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Events are JSON, slash commands and interactivity are forms. Both are signed as raw bytes. */
export const slack: Provider = {
  id: "slack",
  name: "Slack",
  scheme: stampedMac("x-slack-signature", "x-slack-request-timestamp", {
    template: "v0:{timestamp}:{body}",
    prefix: "v0=",
  }),
  eventId: [inBody("event_id"), inBody("trigger_id")],
  identity: {
    why: "event_id stays the same on retries; commands and interactions have a trigger_id that is used once.",
    source: "https://docs.slack.dev/apis/events-api",
  },
  eventType: [inBody("event.type"), inBody("type"), inBody("command")],
  // Buttons, modals, and shortcuts. A slash command has fields.
  payloadField: "payload",
  secretHelp:
    "The app's Signing Secret (32 hexadecimal characters, used as text). Not the verification token.",
  whereToPaste:
    "api.slack.com/apps → your app → Basic Information shows the Signing Secret; Event " +
    "Subscriptions, Slash Commands or Interactivity take the catch URL as Request URL.",
  docsUrl: "https://docs.slack.dev/authentication/verifying-requests-from-slack",
  proof: { package: "@slack/bolt", examples: 1, describedBy: "provider" },
  handshakes: [
    {
      name: "URL verification",
      methods: ["POST"],
      when: [{ ...inBody("type"), equals: "url_verification" }, inBody("challenge")],
      proof: "signature",
      respondsWhilePending: true,
      reply: {
        kind: "respond",
        challenge: inBody("challenge"),
        body: { type: "text", text: [challenge] },
      },
    },
  ],
  response: {},
  listing: { group: "used", place: 4 },
  marks: {
    userAgent: /^Slackbot/,
    body: [{ path: "api_app_id", is: /^A[A-Z0-9]+$/, why: "its body has an api_app_id of Slack" }],
  },
};
