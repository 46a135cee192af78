/** The identity of events from a sender that has no description here. */
import { expect, test } from "vitest";
import { countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { send } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

type Sent = {
  readonly body?: unknown;
  readonly below?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
};
const json = (...bodies: unknown[]): Sent[] => bodies.map((body) => ({ body }));

const shopify = { id: 820_982_911_946_154_500, email: "jon@example.com", total_price: "199.00" };
const woo = { id: 727, number: "727", currency: "USD", total: "10.00" };
const airtable = { id: "recAbCdEfGhIjKlMn", fields: { Name: "Ada" } };
const seed = {
  id: "evt_1",
  type: "checkout.session.completed",
  data: { object: { customer_email: "a@example.com", amount_total: 4200, currency: "usd" } },
};
const github = { action: "opened", number: 2, pull_request: { id: 1, title: "Fix" } };
const delivery = (id: string) => ({ "x-github-event": "pull_request", "x-github-delivery": id });

const cases: readonly (readonly [name: string, events: number, sent: readonly Sent[]])[] = [
  [
    "Shopify: an order is paid, then shipped",
    2,
    json({ ...shopify, financial_status: "paid" }, { ...shopify, fulfillment_status: "fulfilled" }),
  ],
  [
    "Shopify: two topics about one order with the same body",
    2,
    [
      { body: shopify, headers: { "x-shopify-topic": "orders/create" } },
      { body: shopify, headers: { "x-shopify-topic": "orders/paid" } },
    ],
  ],
  [
    "WooCommerce: an order is processing, then completed",
    2,
    json({ ...woo, status: "processing" }, { ...woo, status: "completed" }),
  ],
  ["Airtable: a record changes", 2, json(airtable, { ...airtable, fields: { Name: "Ada L." } })],
  [
    "the issue's order: paid, then shipped",
    2,
    json({ id: 7, type: "order.paid" }, { id: 7, type: "order.shipped" }),
  ],
  [
    "a CRM's contact with a text id and a type",
    2,
    json(
      { id: "c_1", type: "contact", stage: "lead" },
      { id: "c_1", type: "contact", stage: "customer" },
    ),
  ],
  [
    "a form tool's form id",
    2,
    json({ id: "form_9", answers: ["a"] }, { id: "form_9", answers: ["b"] }),
  ],
  [
    "JSON:API with data as a list",
    2,
    json({ id: "1", type: "orders", data: [1] }, { id: "1", type: "orders", data: [2] }),
  ],
  [
    "a form post with the object's id",
    2,
    ["paid", "shipped"].map((status) => ({
      body: `id=7&status=${status}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })),
  ],
  [
    "one body to two paths",
    2,
    ["/orders/paid", "/orders/shipped"].map((below) => ({ body: { id: 7 }, below })),
  ],
  [
    "one body with two queries",
    2,
    ["?event=paid", "?event=shipped"].map((below) => ({ body: { id: 7 }, below })),
  ],
  ...[
    0,
    "",
    " ",
    "0",
    "null",
    "undefined",
    null,
    "None",
    "00000000-0000-0000-0000-000000000000",
  ].map(
    (id) =>
      [`an id that says none: ${JSON.stringify(id)}`, 2, json({ id, n: 1 }, { id, n: 2 })] as const,
  ),
  [
    "an event's shape with an id that says none",
    2,
    json({ ...seed, id: "null" }, { ...seed, id: "null", data: {} }),
  ],
  ["the seed's event three times", 1, json(seed, seed, seed)],
  [
    "the seed's event, sent again with another time",
    1,
    json(seed, { ...seed, sent_at: 2 }, { sent_at: 3, ...seed }),
  ],
  ["two of the seed's events with equal data", 2, json(seed, { ...seed, id: "evt_2" })],
  [
    "GitHub sends again",
    1,
    [
      { body: github, headers: delivery("72d3162e") },
      { body: github, headers: delivery("72d3162e") },
    ],
  ],
  ["Shopify sends again", 1, json(shopify, shopify)],
  ["WooCommerce sends again", 1, json(woo, woo, woo)],
  ["a body without an id, sent again", 1, json({ door: "open" }, { door: "open" })],
  ["plain text, sent again", 1, json("pong", "pong")],
  ["a GET, sent again", 1, [1, 2].map(() => ({ method: "GET", below: "/orders?id=7&event=paid" }))],
  [
    "two GETs about one object",
    2,
    ["paid", "shipped"].map((event) => ({ method: "GET", below: `?id=7&event=${event}` })),
  ],
  ["requests that say nothing at all", 3, [1, 2, 3].map(() => ({ method: "GET" }))],
];

test.each(cases)("%s: %i", async (_name, expected, sent) => {
  const hook = await addHook(bench.db, { methods: ["GET", "POST"], dedupe: undefined });
  await addAction(bench.db, hook);
  const said: string[] = [];
  for (const { body, below = "", headers, method = "POST" } of sent) {
    const text =
      body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const type = typeof body === "object" ? { "content-type": "application/json" } : {};
    const init = { method, ...text, headers: { ...type, ...headers } };
    const { status, json: response } = await send(bench.caught.port, `${hook.path}${below}`, init);
    expect(status).toBe(200);
    said.push(response.status ?? "");
  }
  expect(said.filter((status) => status === "accepted")).toHaveLength(expected);
  expect(await countRuns(bench.db, { hookId: hook.id })).toBe(expected);
});

const order = (n: number) => ({ id: 7, n });

test.each([
  [
    "a query parameter",
    { from: "query", name: "event" },
    ["?event=a&try=1", "?event=a&try=2", "?event=b"],
    2,
  ],
  [
    "a segment of the path",
    { from: "path", segment: 2 },
    ["/orders/1", "/orders/1/x", "/orders/2"],
    2,
  ],
  [
    "a parameter that says none",
    { from: "query", name: "event" },
    ["?event=0", "?event=null", "?event="],
    3,
  ],
  ["a segment that isn't there", { from: "path", segment: 3 }, ["/orders/1", "/orders/1", ""], 3],
])("a hook finds the event's id in %s", async (_place, dedupe, targets, expected) => {
  const hook = await addHook(bench.db, { dedupe });
  for (const [n, target] of targets.entries()) {
    const init = { method: "POST", body: JSON.stringify(order(n)) };
    expect((await send(bench.caught.port, `${hook.path}${target}`, init)).status).toBe(200);
  }
  const where = { hookId: hook.id, status: "accepted" };
  expect(await bench.db.delivery.count({ where })).toBe(expected);
});

test.each([
  [{ from: "query", name: "event" }, "?event=order.paid", "order.paid"],
  [{ from: "path", segment: 1 }, "/order%2Fpaid/7", "order/paid"],
  [{ from: "header", name: "x-event" }, "", "order.paid"],
  [
    [
      { from: "query", name: "none" },
      { from: "path", segment: 2 },
    ],
    "/a/b",
    "b",
  ],
  [{ from: "path", segment: 4 }, "/a/b", null],
])("a hook finds the event's type by %j", async (eventType, target, expected) => {
  const hook = await addHook(bench.db, { eventType });
  const headers = { "x-event": "order.paid" };
  await send(bench.caught.port, `${hook.path}${target}`, { method: "POST", body: "{}", headers });
  const stored = await bench.db.delivery.findFirst({ where: { hookId: hook.id } });
  expect(stored?.eventType).toBe(expected);
});

test("a token in the query is no part of the event, so a new token makes no new event", async () => {
  const verification = { kind: "token", source: { from: "query", name: "token" } };
  const hook = await addHook(bench.db, {
    provider: "custom",
    verification,
    signingSecret: "one",
    dedupe: [{ from: "query", name: "token" }, { from: "request" }],
  });
  const sendWith = (below: string) =>
    send(bench.caught.port, `${hook.path}${below}`, { method: "POST", body: "{}" });
  expect((await sendWith("?token=one&n=1")).json.status).toBe("accepted");
  expect((await sendWith("?token=one&n=2")).json.status).toBe("accepted");
  expect((await sendWith("?token=one&n=1")).json.status).toBe("duplicate");
});
