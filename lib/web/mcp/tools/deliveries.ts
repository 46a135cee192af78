import { z } from "zod";
import { encodeCursor } from "#lib/core/api/page.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import {
  type DeliverySummary,
  listDeliveries,
  readDeliveryRows,
} from "#lib/services/deliveries/read-deliveries.ts";
import { deliverySummaryView } from "#lib/web/deliveries/delivery-view.ts";
import { fitItems } from "../frame/result.ts";
import { cursor, id, maxBytes, tool } from "../frame/tool.ts";
import { quote } from "../frame/visible-text.ts";

/** The most that one result has room for. */
const maxListed = 100;

const filter = {
  hookId: id.optional(),
  status: z.enum(deliveryStatuses).optional(),
  runs: z.literal("failed").optional().describe("Only deliveries with a failed run"),
  eventType: z.string().max(200).optional(),
  eventId: z.string().max(200).optional(),
  q: z.string().max(200).optional().describe("Text in the id, type, path, reason, or body"),
  from: z.string().max(40).optional().describe("ISO 8601, inclusive"),
  to: z.string().max(40).optional().describe("ISO 8601, exclusive"),
};

export const searchDeliveries = tool({
  name: "search_deliveries",
  title: "Search deliveries",
  description:
    "Finds webhook deliveries that arrived, newest first, with the states of their runs. Bodies: " +
    "get_delivery. Reasons: why.",
  permissions: ["deliveries:read"],
  input: z.strictObject({
    ...filter,
    limit: z.int().min(1).max(maxListed).default(20),
    cursor,
    maxBytes,
  }),
  run: async ({ context }, { limit, maxBytes: room, ...query }) => {
    const page = await listDeliveries(context, { ...query, limit: String(limit) });
    const deliveries = page.items.map(({ id: of, hookId }) => ({ id: of, hookId }));
    const { runs, hooks } = await readDeliveryRows(context, { deliveries });
    const { part, count } = fitItems(page.items, room, (delivery) => {
      const counts = runs.get(delivery.id) ?? [];
      return showRow(delivery, {
        runs: counts.map(({ status, count: of }) => `${of} ${status}`).join(", ") || "none",
        shown: pickRow(deliverySummaryView.show(delivery, context)),
      });
    });
    const last = page.items[count - 1];
    const isCut = count < page.items.length && last !== undefined;
    const nextCursor = isCut ? encodeCursor(last.id) : page.nextCursor;
    const shownHooks = [...new Set(page.items.slice(0, count).map(({ hookId }) => hookId))];
    const names = shownHooks.map((of) => `hook ${of}: ${quote(hooks.get(of)?.name ?? null)}`);
    const next =
      nextCursor === null
        ? undefined
        : {
            tool: "search_deliveries",
            arguments: { ...query, limit, maxBytes: room, cursor: nextCursor },
          };
    return {
      lines: [
        count === 0 ? describeNone(nextCursor) : `${count} deliveries, newest first.`,
        ...names,
      ],
      data: {
        hooks: Object.fromEntries(shownHooks.map((of) => [of, hooks.get(of)?.name ?? null])),
      },
      outside: { lines: part.lines, data: { deliveries: part.data } },
      next,
    };
  },
});

function describeNone(nextCursor: string | null): string {
  return nextCursor === null
    ? "No delivery matches."
    : "None among those searched so far. There are more to search.";
}

type Row = { readonly runs: string; readonly shown: object };

function showRow(delivery: DeliverySummary, { runs, shown }: Row) {
  const { status, reason, hookId, receivedAt, bodySize, eventType, eventId } = delivery;
  const why = reason === null ? "" : ` (${reason})`;
  const line =
    `${delivery.id} ${receivedAt.toISOString()} ${status}${why} hook ${hookId} ` +
    `type ${quote(eventType)} event ${quote(eventId)} ${bodySize} bytes, runs: ${runs}`;
  return { line, data: { ...shown, runs } };
}

/** What is enough to choose one. */
function pickRow(shown: object): object {
  const names = [
    "id",
    "hookId",
    "status",
    "reason",
    "receivedAt",
    "eventType",
    "eventId",
    "bodySize",
  ];
  return Object.fromEntries(
    Object.entries(shown)
      .filter(([name]) => names.includes(name))
      .map(([name, value]) => [name, typeof value === "string" ? value.slice(0, 200) : value]),
  );
}
