import { buildMappingContext, type MappingContext } from "../mapping-context.ts";

/** The context of a checkout delivery for tests, with `payloadText` as its body. */
export function contextOf(
  payloadText: string,
  headers: Record<string, string[]> = {},
): MappingContext {
  return buildMappingContext({
    payloadText,
    readHeaders: () => ({
      "content-type": ["application/json"],
      "x-topic": ["a", "b"],
      ...headers,
    }),
    hops: 1,
    raw: { method: "POST", query: "?a=1&b=2&b=3", headers: [], body: Buffer.from(payloadText) },
    readRawBody: () => payloadText,
    path: "/orders/eu",
    readDelivery: () => ({
      id: "0193b000-0000-7000-8000-000000000001",
      receivedAt: "2026-11-21T07:00:00.000Z",
      eventId: "evt_1",
      eventType: null,
      isSample: false,
    }),
    hook: { id: "0193b000-0000-7000-8000-000000000002", name: "Shop" },
  });
}

export const checkout = JSON.stringify({
  id: "evt_1",
  type: "checkout.completed",
  data: {
    object: {
      customer_email: "jane@example.com",
      amount_total: 4200,
      currency: "eur",
      note: null,
      tags: ["new", "vip"],
      items: [
        { sku: "A-1", price: 10 },
        { sku: "B 2", price: 2.5 },
      ],
    },
  },
}).replace(
  '"amount_total":4200',
  '"amount_total":4200,"big":12345678901234567890123,"huge":1e400,"zero":-0,"price":1.10',
);
