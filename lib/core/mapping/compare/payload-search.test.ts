import { expect, it } from "vitest";
import { findNeedle, readPayloadSearch } from "./payload-search.ts";

it.each([
  ["data.object.customer = cus_123", ["data", "object", "customer"], "cus_123"],
  ["items.0.sku=A-1", ["items", "0", "sku"], "A-1"],
  ['  name = "Ada Lovelace" ', ["name"], "Ada Lovelace"],
  ['name = "', ["name"], '"'],
  ["total = 42.00", ["total"], "42.00"],
  ["größe = ä=b", ["größe"], "ä=b"],
])("%s is a value at a path", (text, path, value) => {
  expect(readPayloadSearch(text)).toEqual({ path, value });
});

it.each(["order.paid", "=", "a =", "a b = c", "/orders?id=1", '{"id":1} = 1', "https://x.y/?a=b"])(
  "%s is a text",
  (text) => {
    expect(readPayloadSearch(text)).toBeNull();
  },
);

it.each([
  ["url = https://example.com/a_b", "example"],
  ["name = é", "name"],
  ["größe = é", "gr"],
])("%s is looked for by %s, which JSON never escapes", (text, needle) => {
  const search = readPayloadSearch(text);
  expect(search && findNeedle(search)).toBe(needle);
});
