import { expect, test } from "vitest";
import { applyCode, completeCode, toCodeNames } from "./complete-code.ts";

const paths = ["id", "data.object.email", 'headers["x-id"]', "delivery.id", "steps.find.body.id"];
const names = toCodeNames(
  [...paths, "item.sku"].map((path) => ({ label: path, text: path, detail: "", kind: "text" })),
);

function complete(code: string): readonly string[] | undefined {
  const found = completeCode(code, code.length, names);
  return found?.suggestions.map(({ text }) => text);
}

test("names are those that a transform reads, without the item of a list", () => {
  expect(names.map(({ text }) => text)).toEqual([
    "delivery.payload.id",
    "delivery.payload.data.object.email",
    'delivery.headers["x-id"]',
    "delivery.id",
    "steps.find.body.id",
  ]);
});

test("a path is completed from its start, and a name of three letters from anywhere", () => {
  expect(complete("x = steps.f")).toEqual(["steps.find.body.id"]);
  expect(complete("({ email: ema")).toEqual(["delivery.payload.data.object.email"]);
  expect(complete("delivery.pay")).toHaveLength(2);
  expect(complete("steps?.fin")).toEqual(["steps.find.body.id"]);
});

test("ordinary code, texts, and comments are left alone", () => {
  for (const code of [
    "",
    "re",
    "return ",
    "const total",
    "// ema",
    '"ema',
    "`ema",
    "x = 'a b' + 'ema",
  ])
    expect([code, complete(code)]).toEqual([code, undefined]);
  expect(complete("x = 'a' + ema")).toHaveLength(1);
});

test("what a transform has is completed, and what it lacks says what to use", () => {
  expect(complete("x = encodeU")).toEqual(["encodeURIComponent"]);
  expect(complete("x = Object.gr")).toEqual(["Object.groupBy"]);
  expect(complete("delivery.payload.total.toLoc")).toEqual([
    "toLocaleString",
    "toLocaleDateString",
    "toLocaleTimeString",
    "toLocaleUpperCase",
    "toLocaleLowerCase",
  ]);
  const code = "const url = new URL";
  const found = completeCode(code, code.length, names);
  expect(found?.suggestions).toMatchObject([
    { label: "URL", kind: "not here", detail: expect.stringContaining("decodeURIComponent") },
  ]);
  for (const own of ["x = Number", "return str", "return json", "return proc", "toLocaleS"])
    expect([own, complete(own)]).toEqual([own, undefined]);
  const method = "p.at.toISO";
  const [first] = completeCode(method, method.length, names)?.suggestions ?? [];
  const place = completeCode(method, method.length, names);
  if (place === null || first === undefined) throw new Error("nothing fits");
  expect(applyCode(method, place, first).text).toBe("p.at.toISOString");
});

test("a suggestion replaces what was typed and nothing else", () => {
  const code = "a(ema) + 1";
  const found = completeCode(code, 5, names);
  const [first] = found?.suggestions ?? [];
  if (found === null || first === undefined) throw new Error("nothing fits");
  expect(applyCode(code, found, first).text).toBe("a(delivery.payload.data.object.email) + 1");
});
