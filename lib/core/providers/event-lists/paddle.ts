import { isJsonObject } from "#lib/schema/field/json-value.ts";
import type { EventList } from "./event-list.ts";

const hourMs = 3_600_000;
const perPage = 200;
const origins = ["https://api.paddle.com", "https://sandbox-api.paddle.com"];

/**
 * Events of 90 days, newest first. Paddle has no filter by time, so the search ends an hour before the time that
 * was asked for: ids are in the order of their creation, which is a moment after the event.
 */
export const paddleEvents: EventList = {
  provider: "paddle",
  name: "Paddle",
  // For `after`, `per_page`, `order_by`, and the fields: npm @paddle/paddle-node-sdk, src/resources/events.
  source: "https://developer.paddle.com/changelog/2024/event-notification-retention-changes",
  retentionDays: 90,
  origin: "https://api.paddle.com",
  isOrigin: (origin) => origins.includes(origin),
  credentialHelp: "An API key that may read events, as a bearer token.",
  difference: "Paddle lists an event without notification_id, which its webhook has.",
  // 240 requests a minute for each IP address: developer.paddle.com/api-reference/about/rate-limiting
  pauseMs: 500,
  toRequest: ({ cursor }) => ({
    path: "/events",
    query: [
      ["per_page", String(perPage)],
      ["order_by", "id[DESC]"],
      ...(cursor === null ? [] : ([["after", cursor]] as const)),
    ],
  }),
  readPage(json, { fromMs }) {
    if (!isJsonObject(json) || !Array.isArray(json.data)) return null;
    const read = json.data.map((body) => {
      if (!isJsonObject(body) || typeof body.event_id !== "string") return null;
      const occurredAtMs = Date.parse(String(body.occurred_at));
      return Number.isNaN(occurredAtMs) ? null : { id: body.event_id, body, occurredAtMs };
    });
    const events = read.filter((event) => event !== null);
    if (events.length < read.length) return null;
    const last = events.at(-1);
    const isOver = events.length < perPage || (last?.occurredAtMs ?? 0) < fromMs - hourMs;
    return { events, next: isOver ? null : (last?.id ?? null) };
  },
};
