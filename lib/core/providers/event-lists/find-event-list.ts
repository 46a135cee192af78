import { chargebeeEvents } from "./chargebee.ts";
import type { EventList } from "./event-list.ts";
import { githubDeliveries } from "./github.ts";
import { gitlabRequests } from "./gitlab.ts";
import { paddleEvents } from "./paddle.ts";
import { stripeEvents } from "./stripe.ts";

/** The providers whose API lists events, in the order of the docs. */
const eventLists: readonly EventList[] = [
  stripeEvents,
  paddleEvents,
  chargebeeEvents,
  githubDeliveries,
  gitlabRequests,
];

/** The ids of the providers whose API lists events. */
export const listedProviders = eventLists.map(({ provider }) => provider);

/** Null: the provider has no list of events that is known. */
export function findEventList(provider: string): EventList | null {
  return eventLists.find((list) => list.provider === provider) ?? null;
}
