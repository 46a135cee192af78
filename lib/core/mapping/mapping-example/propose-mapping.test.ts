import { describe, expect, it } from "vitest";
import { renderString, renderText } from "#lib/core/mapping/template/render-template.ts";
import { readExample } from "./read-example.ts";
import { nowMs, payloads, propose, templatesOf } from "./testing/propose-sample.ts";
import { writeExample } from "./write-example.ts";

const object = "payload.data.object";

describe("equal values and common formats", () => {
  it.each<[string, keyof typeof payloads, unknown, string]>([
    [
      "equal text",
      "stripe",
      { email: "jenny.rosen@example.com" },
      `{{ ${object}.customer_details.email }}`,
    ],
    ["an equal number", "stripe", { total: 4200 }, `{{ ${object}.amount_total }}`],
    ["a number as text", "stripe", { amount: "4200" }, `{{ ${object}.amount_total | append: "" }}`],
    ["text as a number", "stripe", { order: 1042 }, `{{ ${object}.metadata.order_id | plus: 0 }}`],
    ["cents as an amount", "stripe", { amount: 42 }, `{{ ${object}.amount_total | times: 0.01 }}`],
    [
      "an amount in cents",
      "shopify",
      { total_cents: 4700 },
      "{{ payload.total_price | times: 100 }}",
    ],
    ["an amount as a number", "shopify", { total: 47 }, "{{ payload.total_price | plus: 0 }}"],
    ["upper case", "stripe", { currency: "USD" }, `{{ ${object}.currency | upcase }}`],
    ["lower case", "shopify", { currency: "usd" }, "{{ payload.currency | downcase }}"],
    [
      "the first name",
      "stripe",
      { first_name: "Jenny" },
      `{{ ${object}.customer_details.name | split: " " | first }}`,
    ],
    [
      "the last name",
      "calendly",
      { lastName: "Rosen" },
      '{{ payload.payload.name | split: " " | last }}',
    ],
    [
      "Unix seconds as a time",
      "stripe",
      { created: "2026-11-23T08:28:30Z" },
      `{{ ${object}.created | date: "%Y-%m-%dT%H:%M:%SZ" }}`,
    ],
    [
      "a time as Unix seconds",
      "github",
      { at: nowMs / 1000 },
      '{{ payload.repository.pushed_at | date: "%s" | plus: 0 }}',
    ],
    [
      "a time as milliseconds",
      "calendly",
      { created_at: nowMs },
      '{{ payload.created_at | date: "%s" | times: 1000 }}',
    ],
    [
      "a time as a day",
      "shopify",
      { order_date: "2026-11-23" },
      '{{ payload.created_at | date: "%Y-%m-%d" }}',
    ],
    [
      "an id inside a URL",
      "stripe",
      { link: "https://shop.example.com/orders/order_1042/edit" },
      `https://shop.example.com/orders/{{ ${object}.client_reference_id }}/edit`,
    ],
    [
      "an email inside text",
      "calendly",
      { text: "Booked by jenny.rosen@example.com" },
      "Booked by {{ payload.payload.email }}",
    ],
    [
      "an amount inside text",
      "stripe",
      { note: "Paid 42.00 for order_1042" },
      `Paid {{ ${object}.amount_total | divided_by: 100 }}.{{ ${object}.amount_total | ` +
        `modulo: 100 | prepend: "0" | slice: -2, 2 }} for {{ ${object}.client_reference_id }}`,
    ],
    [
      "first and last name together",
      "shopify",
      { full_name: "Jenny Rosen" },
      "{{ payload.billing_address.name }}",
    ],
    ["a flag by its name", "github", { is_private: false }, "{{ payload.repository.private }}"],
  ])("%s", (_name, payload, example, template) => {
    expect(Object.values(templatesOf(payloads[payload], example))).toEqual([template]);
  });

  it("never takes what only looks equal: flags and small numbers without a similar name stay", () => {
    expect(
      templatesOf(payloads.stripe, { opted_in: true, list: 3, source: "web", empty: "" }),
    ).toEqual({
      opted_in: "= true",
      list: "= 3",
      source: "= web",
      empty: "= ",
    });
  });
});

describe("another customer's example: renamed fields", () => {
  it.each<[string, keyof typeof payloads, unknown, Record<string, string>]>([
    [
      "a contact from a checkout",
      "stripe",
      {
        properties: {
          email: "ada@lovelace.test",
          firstname: "Ada",
          lastname: "Lovelace",
          total: 19.5,
          created: "2025-01-31T10:00:00Z",
          lifecyclestage: "customer",
        },
      },
      {
        "properties.email": `{{ ${object}.customer_details.email }}`,
        "properties.firstname": `{{ ${object}.customer_details.name | split: " " | first }}`,
        "properties.lastname": `{{ ${object}.customer_details.name | split: " " | last }}`,
        "properties.total": `{{ ${object}.amount_total | times: 0.01 }}`,
        "properties.created": '{{ payload.created | date: "%Y-%m-%dT%H:%M:%SZ" }}',
        "properties.lifecyclestage": "= customer",
      },
    ],
    [
      "an address from an order",
      "shopify",
      {
        contactEmail: "x@y.test",
        shipping: { city: "Ghent", postcode: "9000", countryCode: "BE" },
      },
      {
        contactEmail: "{{ payload.contact_email }}",
        "shipping.city": "{{ payload.shipping_address.city }}",
        "shipping.postcode": "{{ payload.shipping_address.zip }}",
        "shipping.countryCode": "{{ payload.shipping_address.country_code }}",
      },
    ],
  ])("%s", (_name, payload, example, templates) => {
    expect(templatesOf(payloads[payload], example)).toEqual(templates);
  });
});

describe("lists", () => {
  const example = {
    customer: "jenny.rosen@example.com",
    lines: [
      { code: "NOTE-A5-DOT", qty: 2, unitPrice: 21, label: "Field notebook" },
      { code: "OTHER", qty: 1, unitPrice: 5, label: "Another" },
    ],
    channel: "web shop",
  };

  it("a list of objects is made of a list of the delivery, and the text is JSON again", () => {
    const { context, example: read, proposals } = propose(payloads.shopify, example);
    expect(
      Object.fromEntries(proposals.map(({ path, template, each }) => [path, each ?? template])),
    ).toMatchObject({
      "body.lines": "payload.line_items",
      "body.lines[].code": "{{ item.sku }}",
      "body.lines[].qty": "{{ item.quantity }}",
      "body.lines[].unitPrice": "{{ item.price | plus: 0 }}",
      "body.lines[].label": "{{ item.title }}",
    });
    const written = writeExample(read, proposals);
    if (written.body.kind !== "text") throw new Error("it has no loop");
    const rendered = renderText(written.body.text, "json", { context, nowMs });
    const items = (
      payloads.shopify as {
        line_items: { sku: string; quantity: number; price: string; title: string }[];
      }
    ).line_items;
    expect(rendered.ok && JSON.parse(rendered.text)).toEqual({
      customer: "jenny.rosen@example.com",
      lines: items.map(({ sku, quantity, price, title }) => ({
        code: sku,
        qty: quantity,
        unitPrice: Number(price),
        label: title,
      })),
      channel: "web shop",
    });
  });

  it("without its list, the example's items stay", () => {
    const { example: read, proposals } = propose(payloads.shopify, example);
    const taken = proposals.filter(({ path }) => !path.startsWith("body.lines"));
    expect(writeExample(read, taken).body).toEqual({
      kind: "json",
      value: { ...example, customer: "{{ payload.contact_email }}" },
    });
  });

  it("one field of each item, and whole objects", () => {
    const { billing_address: address } = payloads.shopify as { billing_address: unknown };
    expect(templatesOf(payloads.shopify, { skus: ["NOTE-A5-DOT"], address })).toMatchObject({
      skus: '{{ payload.line_items | map: "sku" }}',
    });
    expect(templatesOf(payloads.github, { files: ["README.md", "src/cart.ts"] })).toEqual({
      files: "{{ payload.head_commit.modified }}",
    });
  });
});

describe("what is pasted", () => {
  it.each([
    ["a form", "email=jenny.rosen%40example.com&amount=42.00", ["body.email", "body.amount"]],
    [
      "a URL",
      "https://api.test/orders/order_1042?customer=jenny.rosen%40example.com",
      ["url", "query.customer"],
    ],
    ["a query", "?email=jenny.rosen%40example.com", ["query.email"]],
  ])("%s", (_name, pasted, paths) => {
    const { proposals } = propose(payloads.stripe, pasted);
    expect(proposals.map(({ path }) => path)).toEqual(paths);
    expect(proposals.filter(({ template }) => template === null)).toEqual([]);
  });

  it.each(["", "{", "just words"])("says what can be pasted instead of %j", (pasted) => {
    expect(readExample(pasted)).toMatchObject({ ok: false });
  });
});

it("what is said of a template is what it gives: for every payload made an example of itself", () => {
  for (const payload of Object.values(payloads)) {
    const { proposals, context } = propose(payload, payload);
    for (const { template, value, confidence, literal, within } of proposals) {
      if (template === null || within !== undefined) continue;
      const rendered = renderString(template, { context, nowMs });
      expect(rendered.ok).toBe(true);
      if (confidence !== "similar") expect(value).toBe(literal);
    }
  }
});

it("looks at a limited part of a huge example, and leaves the rest as it is", () => {
  const entries = Array.from({ length: 2_000 }, (_, at) => [`field${at}`, `value ${at}`]);
  const wide = Object.fromEntries(entries);
  const { proposals } = propose(wide, { ...wide, more: 1 });
  expect(proposals).toHaveLength(2_001);
  expect(proposals.filter(({ template }) => template !== null).length).toBe(500);
});
