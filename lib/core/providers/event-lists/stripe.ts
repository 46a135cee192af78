import { isJsonObject } from "#lib/schema/field/json-value.ts";
import type { EventList } from "./event-list.ts";

/**
 * Events of 30 days, by `created`. The docs don't say in which order a plain page is, so nothing
 * here depends on it. `delivery_success=false` isn't used: it says whether any endpoint missed an
 * event, not whether this hook did.
 */
export const stripeEvents: EventList = {
  provider: "stripe",
  name: "Stripe",
  source: "https://docs.stripe.com/api/events/list",
  retentionDays: 30,
  origin: "https://api.stripe.com",
  isOrigin: (origin) => origin === "https://api.stripe.com",
  credentialHelp:
    "A restricted key (rk_…) with read access to Events, as a bearer token or as the user name of Basic.",
  difference:
    "Stripe lists an event in the API version of its creation, and counts pending_webhooks when it lists it. " +
    "A webhook has the version of its endpoint.",
  pauseMs: 0,
  toRequest: ({ fromMs, toMs, cursor }) => ({
    path: "/v1/events",
    query: [
      ["limit", "100"],
      ["created[gte]", String(Math.floor(fromMs / 1_000))],
      ["created[lte]", String(Math.ceil(toMs / 1_000))],
      ...(cursor === null ? [] : ([["starting_after", cursor]] as const)),
    ],
  }),
  readPage(json) {
    if (!isJsonObject(json) || !Array.isArray(json.data)) return null;
    const events = json.data.map((body) =>
      isJsonObject(body) && typeof body.id === "string" && typeof body.created === "number"
        ? { id: body.id, body, occurredAtMs: body.created * 1_000 }
        : null,
    );
    const known = events.filter((event) => event !== null);
    if (known.length < events.length) return null;
    return { events: known, next: json.has_more === true ? (known.at(-1)?.id ?? null) : null };
  },
};
