import { expect, test } from "vitest";
import { hookCorsSchema } from "./hook-response.ts";

const read = (...origins: unknown[]) => hookCorsSchema.safeParse({ origins });

test.each([
  ["https://shop.example"],
  ["http://localhost:5173"],
  ["HTTPS://Shop.Example"],
  ["https://[::1]:8443"],
  ["https://xn--bcher-kva.example"],
  ["*"],
])("%s is an origin", (origin) =>
  expect(read(origin).data?.origins).toEqual([origin.toLowerCase()]),
);

test.each([
  ["https://shop.example/"],
  ["https://shop.example/cart"],
  ["https://shop.example:443"],
  ["https://user@shop.example"],
  ["https://*.example"],
  ["https://bücher.example"],
  ["shop.example"],
  ["null"],
  ["file://"],
  ["https://a.example https://b.example"],
  ["https://a.example\r\nx: y"],
  [""],
  [1],
])("%j is no origin", (origin) => expect(read(origin).success).toBe(false));

test.each([
  [[]],
  [["*", "https://shop.example"]],
  [["https://shop.example", "https://SHOP.example"]],
  [Array.from({ length: 21 }, (_, n) => `https://shop${n}.example`)],
])("%j isn't a list of origins", (origins) => expect(read(...origins).success).toBe(false));
