import { z } from "zod";
import { mapFew } from "#lib/base/map-few.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import { listDeliveries } from "#lib/services/deliveries/read-deliveries.ts";
import { publishEvent as publish } from "#lib/services/events/publish-event.ts";
import { getEvent } from "#lib/services/events/read-events.ts";
import {
  type NewItems,
  readDeliveriesSince,
  readEventsSince,
  waitForNew,
} from "#lib/services/events/read-since.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { fitItems, resultBytes } from "../frame/result.ts";
import { id, maxBytes, type ToolCall, tool } from "../frame/tool.ts";
import { quote } from "../frame/visible-text.ts";

export const publishEvent = tool({
  name: "publish_event",
  title: "Publish an event",
  description:
    "Publishes an event of the account: every matching subscription, such as those of customers, gets it.",
  permissions: ["events:write"],
  isDestructive: true,
  input: z.strictObject({
    type: z.string().min(1).max(200).describe("invoice.paid"),
    data: z.record(z.string(), z.unknown()),
    recipient: z.string().max(200).optional().describe("The customer that it is for"),
    id: z.string().max(128).optional().describe("Yours. The same id is published once"),
  }),
  run: async ({ context }, event) => {
    const done = await publish(context, { body: JSON.stringify(event) });
    const notes = [done.warning, done.problem].filter((note) => note !== null);
    return {
      lines: [`Published ${quote(done.type)} as ${done.id}: ${done.runs} sends.`, ...notes],
      data: done,
    };
  },
});

const maxSeconds = 25;
const maxItems = 20;

export const waitForEvent = tool({
  name: "wait_for_event",
  title: "Wait for something new",
  description:
    "Waits up to 25 s for the next deliveries, or published events, since a cursor, and returns each " +
    "once. Without a cursor, from now on. " +
    "Call it again with the cursor of the result.",
  permissions: [],
  input: z.strictObject({
    source: z.enum(["deliveries", "events"]).default("deliveries"),
    hookId: id.optional().describe("For deliveries"),
    status: z.enum(deliveryStatuses).optional().describe("For deliveries"),
    type: z.string().max(200).optional().describe("The event type"),
    cursor: z.string().max(8_000).optional(),
    timeoutSeconds: z.int().min(0).max(maxSeconds).default(maxSeconds),
    maxBytes,
  }),
  run: async (call, { source, cursor, timeoutSeconds, maxBytes: room, ...filter }) => {
    const waitMs = timeoutSeconds * 1_000;
    const of = { ...filter, limit: Math.min(maxItems, Math.max(1, Math.floor(room / 600))) };
    const { read, show } = source === "events" ? ofEvents(call, of) : ofDeliveries(call, of);
    const found = await waitForNew(read, { cursor, waitMs, signal: call.signal });
    // None is left out: the cursor is behind all of them.
    const { part, count } = fitItems(await show(found.ids), resultBytes.most, (row) => row);
    const args = { source, ...filter, timeoutSeconds, maxBytes: room, cursor: found.cursor };
    const missed = found.isReset ? ["The cursor was too old: some were passed over."] : [];
    return {
      lines: [count === 0 ? "Nothing new." : `${count} new ${source}, oldest first.`, ...missed],
      data: { cursor: found.cursor, isMore: found.isMore, missed: found.isReset },
      outside: { lines: part.lines, data: { [source]: part.data } },
      next: { tool: "wait_for_event", arguments: args },
      isCut: found.isMore,
    };
  },
});

type Filter = {
  readonly hookId?: string | undefined;
  readonly status?: (typeof deliveryStatuses)[number] | undefined;
  readonly type?: string | undefined;
  readonly limit: number;
};

type Row = { readonly line: string; readonly data: object };
/** Of a type and an id of an event. */
const maxChars = 40;

type Waiting = {
  readonly read: (cursor: string | undefined) => Promise<NewItems>;
  readonly show: (ids: readonly string[]) => Promise<readonly Row[]>;
};

function ofDeliveries({ context, actor }: ToolCall, given: Filter): Waiting {
  authorize(actor, "deliveries:read");
  const { type: eventType, ...rest } = given;
  const filter = { ...rest, eventType };
  return {
    read: (cursor: string | undefined) => readDeliveriesSince(context, { ...filter, cursor }),
    show: async (ids: readonly string[]) => {
      if (ids.length === 0) return [];
      const page = await listDeliveries(context, { ids: ids.join(","), limit: String(maxItems) });
      return page.items.toReversed().map((delivery) => {
        const { id: of, receivedAt, status, reason, hookId } = delivery;
        const [type = null, event = null] = [delivery.eventType, delivery.eventId].map(
          (text) => text?.slice(0, maxChars) ?? null,
        );
        return {
          line:
            `${of} ${receivedAt.toISOString()} ${status} hook ${hookId} type ${quote(type)} event ` +
            `${quote(event)}`,
          data: { id: of, receivedAt, status, reason, hookId, eventType: type, eventId: event },
        };
      });
    },
  };
}

function ofEvents({ context, actor }: ToolCall, { type, limit }: Filter): Waiting {
  authorize(actor, "events:read");
  return {
    read: (cursor: string | undefined) => readEventsSince(context, { type, limit, cursor }),
    show: async (ids: readonly string[]) =>
      await mapFew(ids, async (of) => {
        const { event } = await getEvent(context, { id: of });
        const { id: eventId, type: is, recipient, createdAt, bodySize } = event;
        return {
          line: `${eventId} ${createdAt.toISOString()} ${quote(is)} for ${quote(recipient)} ${bodySize} bytes`,
          data: { id: eventId, type: is, recipient, createdAt, bodySize },
        };
      }),
  };
}
