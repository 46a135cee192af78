import { challenge } from "./shapes/handshakes.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { standardIds, standardScheme } from "./shapes/standard-webhooks.ts";

/** What an MCP server sends to the callback of a subscription (SEP-3415), signed with the subscriber's own secret. */
export const mcpEvents: Provider = {
  id: "mcp-events",
  name: "MCP Events",
  scheme: standardScheme("webhook", { prefixRequired: true }),
  // Of an event, it is the eventId. `gap` and `terminated` have an id of their own.
  eventId: standardIds("webhook"),
  identity: {
    why: "webhook-id is signed, and stays the same on retries. For an event, it is the eventId.",
    source: "https://modelcontextprotocol.io/seps/3415-events-extension",
  },
  eventType: [inBody("name"), inBody("type")],
  secretHelp:
    "The secret that you subscribe with: whsec_ and base64 of 24 to 64 random bytes, such as of " +
    "openssl rand -base64 32.",
  whereToPaste:
    "Call events/subscribe of the MCP server with the catch URL as delivery.url and the secret as " +
    "delivery.secret. Renew it before refreshBefore, by the same call.",
  docsUrl: "https://modelcontextprotocol.io/extensions/events/overview",
  proof: { package: "standardwebhooks", describedBy: "provider" },
  secretStartsWith: "whsec_",
  handshakes: [
    {
      name: "callback verification",
      methods: ["POST"],
      when: [{ ...inBody("type"), equals: "verification" }, inBody("challenge")],
      proof: "signature",
      reply: {
        kind: "respond",
        challenge: inBody("challenge"),
        body: { type: "json", fields: { challenge: [challenge] } },
      },
    },
  ],
};
