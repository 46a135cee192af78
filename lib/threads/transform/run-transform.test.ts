import { afterAll, describe, expect, it, test } from "vitest";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { checkTransform } from "./run-transform.ts";
import { account, nowMs, run, threads, value } from "./testing/run.ts";

afterAll(() => threads.close());

describe("a transform", () => {
  test("makes a value of the delivery and earlier results", async () => {
    const source = `
      const toCents = (amount) => Math.round(amount * 100);
      export default (delivery, steps) => ({
        id: delivery.payload.id,
        cents: delivery.payload.items.map(({ price }) => toCents(price)),
        contact: steps.find.body.id,
        topic: delivery.headers["x-topic"],
        from: [delivery.id, delivery.receivedAt, delivery.eventId, delivery.method, delivery.hook.name],
      });`;
    const steps = { find: { status: 200, body: { id: 7 } } };
    expect(await run(source, { id: "o_1", items: [{ price: 1.1 }, { price: 2 }] }, steps)).toEqual({
      ok: true,
      value: {
        id: "o_1",
        cents: [110, 200],
        contact: 7,
        topic: "orders",
        from: ["d", "2026-11-22T12:00:00.000Z", "evt_1", "POST", "Shop"],
      },
    });
    expect(await value("delivery.rawBody", "no, JSON")).toBe("no, JSON");
  });

  test("returns no text that the provider's bytes don't have", async () => {
    const body = Buffer.from('{"name":"M\xfcller","id":1}', "latin1");
    expect(await value("delivery.payload.id", body)).toBe(1);
    expect(await value("delivery.payload.name", body)).toMatchObject({
      ok: false,
      code: "not_json",
      message: expect.stringContaining("not text in its character set"),
    });
  });

  test("keeps the digits of numbers that JavaScript can't hold", async () => {
    const body = '{"big":12345678901234567890123,"price":1.10,"fine":0.12345678901234567891,"n":3}';
    expect(await value("delivery.payload", body)).toEqual({
      big: new ExactNumber("12345678901234567890123"),
      price: 1.1,
      fine: new ExactNumber("0.12345678901234567891"),
      n: 3,
    });
    expect(
      await value(
        "['id-'.concat(delivery.payload.big), Number(delivery.payload.big), typeof delivery.payload.price]",
        body,
      ),
    ).toEqual(["id-12345678901234567890123", 1.2345678901234568e22, "number"]);
    expect(await value("delivery.payload.big + 1", body)).toMatchObject({
      ok: false,
      code: "threw",
      message: expect.stringContaining(
        "Write Number(…) to round it, or String(…) to keep its digits",
      ),
    });
    expect(await value("delivery.payload.big + 1n === 0n", body)).toMatchObject({ code: "threw" });
    expect(await value("BigInt(String(delivery.payload.big)) + 1n", body)).toEqual(
      new ExactNumber("12345678901234567890124"),
    );
    expect(
      await value(
        "[delivery.payload.$exact, delivery.payload.a]",
        '{"$exact":"x","a":12345678901234567890}',
      ),
    ).toEqual(["x", new ExactNumber("12345678901234567890")]);
  });

  test("has the clock of the delivery, UTC as its time zone, and its own random numbers", async () => {
    const code = `[
      Date.now(), new Date().toISOString(), new Date(2026, 0, 1).toISOString(), Date().slice(0, 24),
      new Date("2026-07-01T10:00").getTimezoneOffset(), new Date("2026-07-01T10:00").toISOString(),
      new (new Date().constructor)().getTime(), new Date(2026, 6, 15).getDay(),
      class extends Date {}.name, new (class extends Date {})().getTime(), Date.UTC(2026, 0), Date.name,
    ]`;
    expect(await value(code)).toEqual([
      nowMs,
      "2026-11-22T12:00:00.000Z",
      "2026-01-01T00:00:00.000Z",
      "Sun Nov 22 2026 12:00:00",
      0,
      "2026-07-01T10:00:00.000Z",
      nowMs,
      3,
      "",
      nowMs,
      Date.UTC(2026, 0),
      "Date",
    ]);
    const random = "Array.from({ length: 5 }, () => Math.random())";
    const numbers = (await value(random)) as number[];
    expect(await value(random)).toEqual(numbers);
    expect(new Set(numbers).size).toBe(5);
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  });
});

describe("an error has its place in the source:", () => {
  it.each<[string, object]>([
    [
      "export default () => {\n  const a = null;\n  return a.b;\n}",
      { code: "threw", line: 3, message: "TypeError: cannot read property 'b' of null" },
    ],
    ["export default () => {\n  cons a = 1;\n}", { code: "syntax_error", line: 2, column: 8 }],
    ["\n\n  oops(;", { code: "syntax_error", line: 3 }],
    [
      "export default () =>\n  [1].map((x) => {\n    throw new RangeError('no ' + x);\n  })",
      { code: "threw", line: 3, message: "RangeError: no 1" },
    ],
    [
      "const a = JSON.parse('{');\nexport default () => a",
      { code: "threw", line: 1, message: expect.stringContaining("SyntaxError") },
    ],
    [
      "nope();\nexport default () => 1",
      { code: "threw", line: 1, message: "ReferenceError: 'nope' is not defined" },
    ],
    ["export default () => {\n  for (;;);\n}", { code: "too_slow", line: 1 }],
    [
      "export default function again() {\n  return again() + 1;\n}",
      { code: "stack_overflow", line: 2 },
    ],
    [
      "export default () => { throw 'a text' }",
      {
        code: "threw",
        message: `The code threw "a text", which isn't an Error.`,
        line: null,
        column: null,
      },
    ],
    [
      "export default () => { throw null }",
      {
        code: "out_of_memory",
        message:
          "The code threw null, or needed more than 32 MiB of memory and was stopped. Keep less data at a time.",
      },
    ],
    [
      "export default () => { throw undefined }",
      { code: "threw", message: "The code threw undefined, which isn't an Error." },
    ],
    [
      "export default () => { throw Symbol('x') }",
      { code: "threw", message: "The code threw Symbol(x), which isn't an Error." },
    ],
    [
      "export default () => { throw { message: 'x' } }",
      { code: "threw", message: "The code threw an object that isn't an Error: x." },
    ],
    [
      "export default () => { throw Object.assign(new Error('x'), { stack: 'at transform.js:999:1' }) }",
      { code: "threw", line: null },
    ],
    ["export default () => { throw { get message() { for (;;); } } }", { code: "threw" }],
    [
      "export default () => { throw new Proxy({}, { getPrototypeOf() { throw 1 } }) }",
      { code: "threw" },
    ],
    ["export const a = 1", { code: "no_function" }],
    ["export default 5", { code: "no_function" }],
    ["", { code: "no_function" }],
    ["export default async () => 1", { code: "async_not_allowed" }],
    ["export default () => Promise.resolve(1)", { code: "async_not_allowed" }],
    ["await 1;\nexport default () => 1", { code: "async_not_allowed" }],
    ["export default () => ({ a: { then() {} } })", { code: "async_not_allowed" }],
    [
      "import fs from 'fs';\nexport default () => 1",
      { code: "threw", message: expect.stringContaining("can't import") },
    ],
    ["export default () => import('fs')", { code: "async_not_allowed" }],
    ["x".repeat(65_537), { code: "source_too_large" }],
  ])("%s", async (source, expected) => {
    expect(await run(source)).toMatchObject({ ok: false, ...expected });
  });
});

describe("a result is what JSON can hold, or an error that says where it isn't:", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["false", false],
    ["'\\ud800 \\u0000 é 😀'", "\ud800 \u0000 é 😀"],
    ["-0", 0],
    ["1e21", 1e21],
    ["[undefined, 1, , 2]", [null, 1, null, 2]],
    ["({ a: undefined, b: 1 })", { b: 1 }],
    ["new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["({ toJSON: () => [1] })", [1]],
    ["({ toJSON: () => ({ toJSON: () => 2 }) })", 2],
    ["new (class { a = 1; #b = 2; get c() { return 3 } })()", { a: 1 }],
    ["JSON.parse('{\"__proto__\": 1}')", JSON.parse('{"__proto__": 1}')],
    ["Object.create({ inherited: 1 })", {}],
    ["12345678901234567890n", new ExactNumber("12345678901234567890")],
    ["new Proxy({ a: 1 }, {})", { a: 1 }],
  ])("%s", async (expression, expected) => {
    expect(await value(expression)).toEqual(expected);
  });

  it.each([
    ["undefined", "The result is undefined. Return a value, or null."],
    [
      "({ a: [{ b: NaN }] })",
      "The result's a[0].b is NaN, which JSON can't hold. Return a number or null.",
    ],
    ["[1 / 0]", "The result's [0] is Infinity"],
    ["({ at: new Date(NaN) })", "The result's at is an invalid date."],
    ["() => 1", "The result is a function, which JSON can't hold. Return data only."],
    ["Symbol('x')", "The result is a symbol"],
    [
      "(function* () { yield 1 })()",
      "The result is of type Generator, which JSON can't hold. Return plain objects and lists",
    ],
    ["({ m: new Map() })", "The result's m is of type Map"],
    ["new Set([1])", "The result is of type Set"],
    ["new Uint8Array(2)", "The result is of type Uint8Array"],
    ["new Error('x')", "The result is of type Error"],
    ["new Number(1)", "The result is of type Number"],
    ["(async function* () {})()", "The result is of type AsyncGenerator"],
    ["({ get a() { throw new TypeError('no') } })", "TypeError: no"],
  ])("%s", async (expression, message) => {
    expect(await value(expression)).toMatchObject({
      ok: false,
      message: expect.stringContaining(message),
    });
  });
});

test("checking a transform finds what can be found without a delivery", async () => {
  const check = (source: string) => checkTransform(threads, source, account);
  expect(await check("export default (delivery) => delivery.payload.id")).toEqual({ ok: true });
  expect(await check("const f = () => 1;\nexport { f as default }")).toEqual({ ok: true });
  expect(await check("export default (delivery) => {\n  return delivery.;\n}")).toMatchObject({
    ok: false,
    code: "syntax_error",
    line: 2,
    column: 19,
  });
  expect(await check("for (;;);\nexport default () => 1")).toMatchObject({ code: "too_slow" });
  expect(await check("export const f = 1")).toMatchObject({ code: "no_function" });
  expect(await check("x".repeat(70_000))).toMatchObject({ code: "source_too_large" });
});

test("a delivery that is too large, or has too many values, is an error, not a crash", async () => {
  const many = `[${"{},".repeat(1_000_000)}{}]`;
  // Memory ends first, or on a slow machine the time.
  expect(await value("delivery.payload.length", many)).toMatchObject({
    code: expect.stringMatching(/^(out_of_memory|too_slow)$/),
  });
  expect(await value("1 + 1")).toBe(2);
  const large = { text: "x".repeat(4_300_000) };
  expect(await value("delivery.payload.text.length", large)).toMatchObject({
    ok: false,
    code: "input_too_large",
  });
});
