import { allOf, byContent, inBody } from "./places.ts";
import type { Provider } from "./provider.ts";

/** The event identity for a provider of which we only know the signature scheme. */
export const unknownIdentity: Pick<Provider, "eventId" | "identity" | "eventType"> = {
  eventId: [
    { ...allOf(inBody("id"), byContent), withinSeconds: 86_400 },
    { ...byContent, withinSeconds: 86_400 },
  ],
  identity: {
    why: "An unknown provider's id may be that of the object, so only equal bodies are one event, for a day.",
    source: null,
  },
  eventType: [inBody("type")],
};
