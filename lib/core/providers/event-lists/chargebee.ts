import { isJsonObject } from "#lib/schema/field/json-value.ts";
import type { EventList } from "./event-list.ts";

/**
 * Events by `occurred_at`, oldest first. How long its API lists them isn't documented. `webhook_status` isn't used:
 * it says whether any webhook of the site missed an event, not whether this hook did.
 */
export const chargebeeEvents: EventList = {
  provider: "chargebee",
  name: "Chargebee",
  // For the filters and the fields: npm chargebee, types/resources/Event.d.ts.
  source: "https://apidocs.chargebee.com/docs/api/events",
  retentionDays: null,
  origin: "https://{site}.chargebee.com",
  isOrigin: (origin) => /^https:\/\/[a-z0-9-]+\.chargebee\.com$/.test(origin),
  credentialHelp: "An API key that may read, as the user name of Basic with an empty password.",
  difference:
    "webhook_status and webhooks of an event are those at the time of the list. Its webhook has those of its call.",
  // A test site allows 150 requests a minute.
  pauseMs: 500,
  toRequest: ({ fromMs, cursor }) => ({
    path: "/api/v2/events",
    query: [
      ["limit", "100"],
      ["occurred_at[after]", String(Math.floor(fromMs / 1_000) - 1)],
      ["sort_by[asc]", "occurred_at"],
      ...(cursor === null ? [] : ([["offset", cursor]] as const)),
    ],
  }),
  readPage(json, { toMs }) {
    if (!isJsonObject(json) || !Array.isArray(json.list)) return null;
    const read = json.list.map((item) => {
      const body = isJsonObject(item) ? item.event : undefined;
      return isJsonObject(body) && typeof body.occurred_at === "number"
        ? { body, occurredAtMs: body.occurred_at * 1_000 }
        : null;
    });
    const events = read.filter((event) => event !== null);
    if (events.length < read.length) return null;
    const isOver = (events.at(-1)?.occurredAtMs ?? 0) > toMs;
    const next = typeof json.next_offset === "string" ? json.next_offset : null;
    return { events, next: isOver ? null : next };
  },
};
