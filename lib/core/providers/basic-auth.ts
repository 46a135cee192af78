import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const basicAuth: Provider = {
  id: "basic-auth",
  name: "Basic authentication",
  scheme: { kind: "basic" },
  eventId: [
    { ...allOf(inBody("id"), byContent), withinSeconds: 86_400 },
    { ...byContent, withinSeconds: 86_400 },
  ],
  identity: {
    why: "An unknown provider's id may be that of the object, so only equal bodies are one event, for a day.",
  },
  eventType: [inBody("type")],
  secretHelp: "User name and password with a colon between them: user:password.",
  isSecretChosen: true,
  whereToPaste:
    "Enter the catch URL and the same username and password at the provider. Some providers expect them in the URL, as https://user:password@host.",
  docsUrl: "https://www.rfc-editor.org/rfc/rfc7617",
  proof: { describedBy: "provider" },
  listing: { group: "scheme", place: 3 },
};
