import { isJsonObject } from "#lib/schema/field/json-value.ts";
import type { EventList } from "./event-list.ts";

const hourMs = 3_600_000;
const origins = ["https://api.paddle.com", "https://sandbox-api.paddle.com"];

/**
 * Events of 90 days, newest first. Paddle has no filter by time, so the list ends an hour before
 * what was asked for: ids are in the order of their creation, which is a moment after the event.
 */
export const paddleEvents: EventList = {
  provider: "paddle",
  name: "Paddle",
  source: "https://developer.paddle.com/changelog/2024/event-notification-retention-changes",
  retentionDays: 90,
  origin: "https://api.paddle.com",
  isOrigin: (origin) => origins.includes(origin),
  credentialHelp: "An API key with read access to events and notifications, as a bearer token.",
  difference: "Paddle's list has the event without `notification_id`, which a webhook has.",
  // 240 requests a minute for each IP address: developer.paddle.com/api-reference/about/rate-limiting
  pauseMs: 500,
  toRequest: ({ cursor }) => ({
    path: "/events",
    query: [
      ["per_page", "200"],
      ["order_by", "id[DESC]"],
      ...(cursor === null ? [] : ([["after", cursor]] as const)),
    ],
  }),
  readPage(json, { fromMs }) {
    if (!isJsonObject(json) || !Array.isArray(json.data) || !isJsonObject(json.meta)) return null;
    const { pagination } = json.meta;
    if (!isJsonObject(pagination)) return null;
    const events = json.data.map((body) => {
      if (!isJsonObject(body) || typeof body.event_id !== "string") return null;
      const occurredAtMs = Date.parse(String(body.occurred_at));
      return Number.isNaN(occurredAtMs) ? null : { id: body.event_id, body, occurredAtMs };
    });
    const known = events.filter((event) => event !== null);
    if (known.length < events.length) return null;
    const last = known.at(-1);
    const isBefore = last === undefined || last.occurredAtMs < fromMs - hourMs;
    const hasMore = pagination.has_more === true && !isBefore;
    return { events: known, next: hasMore ? last.id : null };
  },
};
