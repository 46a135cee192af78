import { expect, it } from "vitest";
import { chooseDifferingValues } from "./differing-values.ts";
import { readPayloadValues } from "./payload-values.ts";

const json = "application/json";
const order = (data: object) => ({
  eventType: "order.paid",
  values: readPayloadValues(JSON.stringify({ type: "order.paid", ...data }), json),
});

it("values that all rows of a type share are left out, and readable ones come first", () => {
  const rows = [
    order({
      id: "evt_1a2b3c4d",
      livemode: false,
      created: 1_790_000_000,
      data: { name: "Ada", total: 42.5 },
    }),
    order({
      id: "evt_5e6f7a8b",
      livemode: false,
      created: 1_790_000_100,
      data: { name: "Bob", total: 42.5 },
    }),
    { eventType: "ping", values: readPayloadValues('{"zen":"Keep it simple"}', json) },
  ];
  expect(chooseDifferingValues(rows)).toEqual([
    [
      ["name", "Ada"],
      ["id", "evt_1a2b3c4d"],
      ["created", "1790000000"],
    ],
    [
      ["name", "Bob"],
      ["id", "evt_5e6f7a8b"],
      ["created", "1790000100"],
    ],
    [["zen", "Keep it simple"]],
  ]);
});

it("a value that only some rows have differs, and two of one name say whose they are", () => {
  const rows = [
    order({ from: { name: "Ada" }, to: { name: "Bob" }, note: "fragile" }),
    order({ from: { name: "Cleo" }, to: { name: "Dan" } }),
  ];
  expect(chooseDifferingValues(rows)).toEqual([
    [
      ["from.name", "Ada"],
      ["to.name", "Bob"],
      ["note", "fragile"],
    ],
    [
      ["from.name", "Cleo"],
      ["to.name", "Dan"],
    ],
  ]);
});

it("values are exact, and those before the end of a cut body are read", () => {
  const text = '{"n":12345678901234567890.10,"tags":[{"a": "x\\u00e9"}],"none":null,"cut":"ab';
  expect([...readPayloadValues(text, json)]).toEqual([
    ["n", "12345678901234567890.10"],
    ["tags", '[{"a": "x\\u00e9"}]'],
    ["tags.0", '{"a": "x\\u00e9"}'],
    ["tags.0.a", "xé"],
    ["none", "null"],
  ]);
  expect([...readPayloadValues("a=1+2&b=%C3%A9", "application/x-www-form-urlencoded")]).toEqual([
    ["a", "1 2"],
    ["b", "é"],
  ]);
  expect(readPayloadValues("plain text", "text/plain").size).toBe(0);
});

it.each([
  [null, { note: "x", "payload.action": "opened", "payload.n": "1.10" }],
  ["payload", { action: "opened", n: "1.10" }],
])("a form has the values of the JSON in its fields, if the event is %s", (field, expected) => {
  const event = '{"action":"opened","n":1.10}';
  const type = "application/x-www-form-urlencoded";
  const body = `${new URLSearchParams({ note: "x", payload: event })}`;
  const values = readPayloadValues(body, type, field);
  expect(Object.fromEntries(values)).toMatchObject(expected);
  expect(values.has("payload.action")).toBe(field === null);
  expect(readPayloadValues(event, type).get("action")).toBe("opened");
});
