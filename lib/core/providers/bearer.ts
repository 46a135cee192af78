import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const bearer: Provider = {
  id: "bearer",
  name: "Bearer token",
  scheme: { kind: "bearer" },
  eventId: [
    { ...allOf(inBody("id"), byContent), withinSeconds: 86_400 },
    { ...byContent, withinSeconds: 86_400 },
  ],
  identity: {
    why: "An unknown provider's id may be that of the object, so only equal bodies are one event, for a day.",
  },
  eventType: [inBody("type")],
  secretHelp: "The token alone, without the word Bearer.",
  isSecretChosen: true,
  whereToPaste:
    "Enter the catch URL at the provider, and configure the header Authorization: Bearer <token>.",
  docsUrl: "https://www.rfc-editor.org/rfc/rfc6750",
  proof: { describedBy: "provider" },
  listing: { group: "scheme", place: 4 },
};
