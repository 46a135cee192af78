import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { signedBy } from "./shapes/public-key.ts";

/** Discord also sends invalid signatures on purpose, and expects 401 for them. */
export const discord: Provider = {
  id: "discord",
  name: "Discord",
  scheme: signedBy("ed25519", "hex", "x-signature-ed25519", {
    template: "{timestamp}{body}",
    time: "x-signature-timestamp",
  }),
  eventId: [inBody("id"), byContent],
  identity: {
    why: "An interaction has an id; a webhook event has a time to the microsecond in its body instead.",
    source: "https://docs.discord.com/developers/events/webhook-events",
  },
  eventType: [inBody("event.type"), inBody("type")],
  secretHelp: "The application's Public Key: 64 hexadecimal characters. Not the bot token.",
  whereToPaste:
    "discord.com/developers → your application → General Information: save the Public " +
    "Key in the hook first. Then paste the catch URL under Webhooks as Endpoint URL and " +
    "turn on Events (for interactions, as Interactions Endpoint URL).",
  docsUrl: "https://docs.discord.com/developers/events/webhook-events",
  proof: { package: "discord-interactions", describedBy: "provider" },
  /**
   * Interactions ping with type 1, webhook events with type 0. A webhook event has type 1 too; its
   * `event` distinguishes it from the ping. Discord also sends invalid signatures that must get
   * 401, so neither is answered before the public key is set.
   */
  handshakes: [
    {
      name: "ping",
      methods: ["POST"],
      when: [
        { ...inBody("type"), equals: "1" },
        { ...inBody("event"), isAbsent: true },
      ],
      proof: "signature",
      reply: { kind: "respond", body: { type: "json", fields: { type: 1 } } },
    },
    {
      name: "ping",
      methods: ["POST"],
      when: [
        { ...inBody("type"), equals: "0" },
        { ...inBody("event"), isAbsent: true },
      ],
      proof: "signature",
      reply: { kind: "respond", status: 204 },
    },
  ],
  response: { status: 204 },
  marks: { userAgent: /^Discord-Interactions\// },
};
