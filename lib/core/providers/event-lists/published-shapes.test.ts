import { expect, it } from "vitest";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { findEventList } from "./find-event-list.ts";

/**
 * The fields of events as the providers publish them: of what a webhook sends, and of what the API lists. Values are
 * ours. A list that lacks a field of the webhook, or has it otherwise, has to say so in `difference`.
 */
const published = [
  {
    provider: "stripe",
    // docs.stripe.com/event-destinations#example-snapshot-event-payload
    webhook: "id object api_version created data livemode pending_webhooks request type",
    // docs.stripe.com/api/events/list
    listed: "id object api_version created data livemode pending_webhooks request type",
    page: (event: JsonValue) => ({
      object: "list",
      url: "/v1/events",
      has_more: false,
      data: [event],
    }),
    differs: ["api_version", "pending_webhooks"],
  },
  {
    provider: "paddle",
    // github.com/PaddleHQ/paddle-node-sdk, src/__tests__/mocks/notifications
    webhook: "event_id event_type occurred_at notification_id data",
    // developer.paddle.com/api-reference/events/list-events. Its earlier versions had notification_id, too.
    listed: "event_id event_type occurred_at data",
    page: (event: JsonValue) => ({ data: [event], meta: { request_id: "r", pagination: {} } }),
    differs: ["notification_id"],
  },
  {
    provider: "chargebee",
    // gist.github.com/bhoggard/fc4888d2c74e52dceaafbaf2fb976fc2, and github.com/chargebee/chargebee-node,
    // types/resources/WebhookEvent.d.ts
    webhook:
      "id occurred_at source user object api_version content event_type webhook_status webhooks",
    // github.com/chargebee/chargebee-node, types/resources/Event.d.ts
    listed:
      "id occurred_at source user object api_version content event_type webhook_status webhooks",
    page: (event: JsonValue) => ({ list: [{ event }] }),
    differs: ["webhook_status", "webhooks"],
  },
] as const;

const values: Readonly<Record<string, JsonValue>> = {
  id: "ev_1",
  event_id: "evt_1",
  created: 1_796_000_000,
  data: { object: { id: "in_1", total: 1_200 } },
};

/** Times are seconds at Chargebee, and text at Paddle. */
function toEvent(provider: string, fields: string): Readonly<Record<string, JsonValue>> {
  const time = provider === "paddle" ? "2026-11-29T10:00:00.622748Z" : 1_796_000_000;
  const read = (name: string) => (name === "occurred_at" ? time : (values[name] ?? "x"));
  return Object.fromEntries(fields.split(" ").map((name) => [name, read(name)]));
}

it.each(published)(
  "a listed event of $provider has the fields of its webhook, but for what is said to differ",
  ({ provider, webhook, listed, page, differs }) => {
    const list = findEventList(provider);
    const event = toEvent(provider, listed);
    const asked = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, cursor: null, webhook: null };
    const read = list?.readPage(page(event), asked, null);
    expect(read?.events.map(({ body }) => body)).toEqual([event]);
    const lost = webhook.split(" ").filter((name) => !Object.hasOwn(event, name));
    expect(differs).toEqual(expect.arrayContaining(lost));
    for (const name of differs)
      expect(list?.difference).toMatch(name === "api_version" ? /API version/ : new RegExp(name));
  },
);
