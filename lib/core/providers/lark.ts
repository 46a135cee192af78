import { challenge } from "./shapes/handshakes.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * With an Encrypt Key, Lark encrypts the body, which hooks can't read. Compared with the page in
 * docsUrl on 2026-11-28.
 */
export const lark: Provider = {
  id: "lark",
  name: "Lark (Feishu)",
  scheme: { kind: "token", source: inBody("header.token") },
  eventId: [inBody("header.event_id")],
  identity: {
    why: "header.event_id is that of the event; the message or approval has its own id.",
    source: null,
  },
  eventType: [inBody("header.event_type")],
  secretHelp:
    "The app's Verification Token. Leave the Encrypt Key empty, since hooks can't read encrypted events.",
  whereToPaste:
    "Developer Console → your app → Events & Callbacks → Event Configuration: choose " +
    "to send events to a developer server and paste the catch URL; Encryption " +
    "Strategy shows the Verification Token. Use events of version 2.0.",
  docsUrl:
    "https://open.larkoffice.com/document/ukTMukTMukTM/uYDNxYjL2QTM24iN0EjN/event-subscription-configure-/choose-a-subscription-mode/send-notifications-to-developers-server",
  proof: { describedBy: "provider" },
  handshakes: [
    {
      name: "URL verification",
      methods: ["POST"],
      when: [
        { ...inBody("type"), equals: "url_verification" },
        inBody("challenge"),
        inBody("token"),
      ],
      proof: "none",
      reply: {
        kind: "respond",
        challenge: inBody("challenge"),
        body: { type: "json", fields: { challenge: [challenge] } },
      },
    },
  ],
  marks: {
    body: [{ path: "header.app_id", is: /^cli_/, why: "its header has an app_id of Lark" }],
  },
};
