import { bodyMac } from "./shapes/mac.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const notion: Provider = {
  id: "notion",
  name: "Notion",
  scheme: bodyMac("x-notion-signature", { prefix: "sha256=" }),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the event; attempt_number counts the tries.",
    source: "https://developers.notion.com/reference/webhooks-events-delivery",
  },
  eventType: [inBody("type")],
  secretHelp: "The verification_token that Notion sends to the catch URL in its first request.",
  whereToPaste:
    "notion.so/developers/connections → your connection → Webhooks → Create a " +
    "subscription: paste the catch URL, then verify it with the token that Notion sent.",
  docsUrl: "https://developers.notion.com/reference/webhooks",
  proof: { package: "@notionhq/client", describedBy: "provider" },
  /**
   * The token comes once, unsigned. Its owner has to paste it into Notion, which signs with it from
   * then on.
   */
  handshakes: [
    {
      name: "verification token",
      methods: ["POST"],
      when: [{ ...inHeader("x-notion-signature"), isAbsent: true }, inBody("verification_token")],
      proof: "none",
      reply: { kind: "keepSecret", secret: inBody("verification_token"), isShownToOwner: true },
    },
  ],
};
