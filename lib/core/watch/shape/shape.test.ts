import { expect, test } from "vitest";
import { actionInputSchema } from "#lib/schema/act/action.ts";
import { listReads } from "./list-reads.ts";
import { tryMutations } from "./testing/try-mutations.ts";
import { unknownShape, type WatchedShape, watchPayload } from "./watch-shape.ts";

// `npm run bench:shape` prints the same by provider.
test("the samples of all providers, changed in three ways: found at once, with the mapping that breaks", {
  tags: "variant",
}, () => {
  const tried = tryMutations();
  const fields = tried.reduce((sum, provider) => sum + provider.tried, 0);
  expect(fields).toBeGreaterThan(4_000);
  for (const kind of ["drop", "rename", "retype"] as const) {
    const named = tried.reduce((sum, provider) => sum + provider.named[kind], 0);
    expect(named / fields, kind).toBeGreaterThan(0.95);
  }
  expect(tried.filter(({ falseAlarms }) => falseAlarms > 0)).toEqual([]);
});

/** The outcomes of deliveries, and the last state. */
function watch(payloads: readonly unknown[], reads: readonly string[], from = unknownShape) {
  let watched: WatchedShape = from;
  const outcomes = payloads.map((payload) => {
    const step = watchPayload(watched, payload, reads);
    watched = step.watched;
    return step.outcome;
  });
  return { outcomes, watched };
}

const many = (count: number, make: (at: number) => unknown) =>
  Array.from({ length: count }, (_, at) => make(at));
const order = {
  id: "o1",
  total: 5,
  customer: { email: "a@b.c" },
  items: [{ price: 1 }, { price: 2 }],
};

test("a field that sometimes is missing or null is optional", () => {
  const payloads = many(100, (at) => (at % 7 === 0 ? { ...order, note: null } : order));
  const { watched } = watch([...payloads, { ...order, total: null }], ["total", "note"]);
  expect(watched.difference).toBeNull();
  const { note: _, ...gone } = { ...order, note: "x" };
  expect(watch([gone, { ...order, note: "x" }], ["note"], watched).outcomes).toEqual([
    "same",
    "same",
  ]);
});

test("a missing field is a change after 30 deliveries if an action reads it or what is inside", () => {
  const { watched: early } = watch(
    many(29, () => order),
    ["customer.email"],
  );
  const { watched } = watch(
    many(30, () => order),
    ["customer.email"],
  );
  const { customer: _, ...gone } = order;
  expect(watch([gone], ["customer.email"], early).outcomes).toEqual(["same"]);
  expect(watch([gone], ["customer.email"], watched).watched.difference?.changes).toMatchObject([
    { path: "customer", change: "missing", before: "object", after: null },
  ]);
  expect(watch([gone], [], watched).outcomes).toEqual(["same"]);
});

test("a field of a single item of a list is found", () => {
  const { watched } = watch(
    many(30, () => order),
    ["items[].price"],
  );
  const bad = { ...order, items: [{ price: 1 }, { price: "2" }] };
  expect(watch([bad], ["items[].price"], watched).watched.difference?.changes).toMatchObject([
    { path: "items[].price", change: "type", before: "number", after: "text" },
  ]);
});

test("a new field is a change where fields never come and go, and usual after 20 deliveries", () => {
  const { watched } = watch(
    many(400, () => order),
    [],
  );
  const added = { ...order, channel: "web" };
  const { outcomes, watched: after } = watch(
    many(20, () => added),
    [],
    watched,
  );
  expect(outcomes).toEqual([...many(19, () => "differs"), "over"]);
  expect(watch([added, order], [], after).outcomes).toEqual(["same", "same"]);
});

test("objects whose names are data have no new or missing fields", () => {
  const payloads = many(400, (at) => ({ prices: { [`sku_${at}`]: 1 } }));
  expect(new Set(watch(payloads, ["prices.sku_1"]).outcomes)).toEqual(new Set(["same"]));
});

test("a difference is over after 20 deliveries without it, and is optional then", () => {
  const { watched } = watch(
    many(50, () => order),
    ["total"],
  );
  const { total: _, ...gone } = order;
  const { outcomes, watched: after } = watch(
    [gone, gone, ...many(20, () => order)],
    ["total"],
    watched,
  );
  expect(outcomes).toEqual(["differs", "differs", ...many(19, () => "same"), "over"]);
  expect(watch([gone], ["total"], after).outcomes).toEqual(["same"]);
});

test("the fields that an action reads are found in templates, loops, filters, lists, and code", () => {
  const { filter, steps = null } = actionInputSchema.parse({
    name: "a",
    filter: { all: [{ path: "payload.total", op: "gt", value: 1 }] },
    steps: [
      {
        key: "each",
        kind: "call",
        forEach: { path: "payload.items" },
        request: {
          method: "POST",
          url: "https://r.example/{{ item.price }}",
          body: { to: "{{ payload.customer.email | upcase }}" },
        },
      },
      { key: "code", kind: "transform", code: "export default (d) => d.payload.customer?.email" },
      {
        key: "text",
        kind: "call",
        request: {
          method: "POST",
          url: "https://r.example/",
          bodyText:
            "{% for line in payload.items %}{{ line.price }} {{ headers.host }}{% endfor %}",
        },
      },
      { key: "wait", kind: "delay", until: "{{ payload.due }}" },
      { key: "say", kind: "publish", type: "{{ type }}", data: [{ id: "{{ payload.number }}" }] },
    ],
  });
  expect(listReads({ filter: filter ?? null, request: null, steps })).toEqual([
    { path: "total", at: "filter" },
    { path: "items", at: "each: forEach" },
    { path: "items[].price", at: "each: url" },
    { path: "customer.email", at: "each: body.to" },
    { path: "customer.email", at: "code: code" },
    { path: "items", at: "text: bodyText" },
    { path: "items[].price", at: "text: bodyText" },
    { path: "due", at: "wait: until" },
    { path: "type", at: "say: type" },
    { path: "number", at: "say: data[0].id" },
  ]);
});
