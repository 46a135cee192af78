import type { DedupeSource } from "#lib/schema/receive/event-rules.ts";
import { allOf, byContent, byEvent, byRequest, inBody } from "./places.ts";
import type { Provider } from "./provider.ts";

const daySeconds = 86_400;

/** The rule for a sender that signs nothing. */
export const unsignedDedupe: readonly DedupeSource[] = [
  byEvent,
  { ...allOf(inBody("id"), byRequest), withinSeconds: daySeconds },
  { ...byRequest, withinSeconds: daySeconds },
];

/**
 * The rule for a sender of which we only know how it signs. A path, a query, and a header may be
 * unsigned, so they don't make the same body another event, and a body with an id is never repeated.
 */
export const signedDedupe: readonly DedupeSource[] = [
  byEvent,
  allOf(inBody("id"), byContent),
  { ...byContent, withinSeconds: daySeconds },
];

/** The event identity for a provider of which we only know the authentication. */
export const unknownIdentity: Pick<Provider, "eventId" | "identity" | "eventType"> = {
  eventId: unsignedDedupe,
  identity: {
    why:
      "In the shape of an event, `id` is the event's. Otherwise an unknown provider's `id` may be that of the " +
      "object, so only requests that say the same are one event, for a day.",
    source: null,
  },
  eventType: [inBody("type")],
};
