import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Deepgram doesn't sign. Its dg-token header contained an API key id, and is no longer supported
 * for this.
 */
export const deepgram: Provider = {
  id: "deepgram",
  name: "Deepgram",
  scheme: { kind: "basic" },
  eventId: [inBody("metadata.request_id"), inBody("request_id"), byContent],
  identity: {
    why: "A request has one result, and the id of the request is in it.",
    source: "https://developers.deepgram.com/docs/callback",
  },
  eventType: [],
  secretHelp: "User name and password of your own with a colon between them: user:password.",
  isSecretChosen: true,
  whereToPaste:
    "Use the catch URL as the request's callback, with username and password in it: https://user:password@your-host/….",
  docsUrl: "https://developers.deepgram.com/docs/callback",
  proof: { describedBy: "provider" },
};
