import { afterAll, describe, expect, it, test } from "vitest";
import { builtIns } from "#lib/core/mapping/transform/built-ins.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { threads, value } from "./testing/run.ts";

afterAll(() => threads.close());

const body =
  '{"big":12345678901234567890123,"same":12345678901234567890123,"n":-9007199254740993,"f":0.12345678901234567891,"a":1}';

describe("a number that JavaScript can't hold", () => {
  it.each([
    "p.big * 1",
    "p.big - 0",
    "+p.big",
    "-p.big",
    "p.big / 2",
    "p.big % 10",
    "p.big ** 2",
    "p.big | 0",
    "p.big + 1",
    "p.big > 5",
    "1 <= p.n",
    "p.big == 12345678901234567890123",
    "Math.max(p.big, 1)",
    "Math.round(p.f)",
    "Math.floor(p.big)",
    "[p.big, p.n].sort((a, b) => a - b)",
    "[1, 2].reduce((sum, item) => sum + item, p.big)",
    "parseInt(p.big)",
    "Number.parseInt(p.big, 10)",
    "parseFloat(p.f)",
    "isNaN(p.big)",
    "p.big.toFixed(2)",
    "p.f.toPrecision(3)",
    "p.big.toLocaleString('de-DE')",
    "p.big.toString(16)",
    "p.big.valueOf()",
    "new Date(p.n)",
    "BigInt(p.f)",
    "new Number(p.big)",
    "Array.from({ length: p.big })",
  ])("%s is an error that names what to use", async (expression) => {
    const code = `((p) => ${expression})(delivery.payload)`;
    expect(await value(code, body)).toMatchObject({
      code: "threw",
      message: expect.stringMatching(/Write Number\(…\).*String\(…\).*BigInt\(…\)/),
    });
  });

  it.each<[string, unknown]>([
    ["BigInt(p.big) + 1n", new ExactNumber("12345678901234567890124")],
    ["BigInt(p.n) * 2n", new ExactNumber("-18014398509481986")],
    ["BigInt(p.a)", 1],
    ["[Number(p.big), Number('7'), Number(p.a)]", [1.2345678901234568e22, 7, 1]],
    ["[p.big].join() + String(p.n)", "12345678901234567890123-9007199254740993"],
    [
      "[p.big === p.same, [p.big].includes(p.same), new Set([p.big, p.same]).size]",
      [true, true, 1],
    ],
    [
      "[Number.isInteger(p.big), Number.isInteger(p.f), Number.isFinite(p.big)]",
      [true, false, true],
    ],
    [
      "[Number.isInteger(5), (5).constructor === Number, 5n.constructor === BigInt]",
      [true, true, true],
    ],
    [
      "JSON.stringify({ a: p.big, b: [p.f], c: 'x' })",
      '{"a":12345678901234567890123,"b":[0.12345678901234567891],"c":"x"}',
    ],
    ["JSON.stringify(p.n)", "-9007199254740993"],
    [
      "JSON.stringify({ a: p.big, b: 1 }, (key, item) => (key === 'b' ? undefined : item), 1)",
      '{\n "a": 12345678901234567890123\n}',
    ],
    ["JSON.stringify({ a: p.big, b: 1 }, ['a'])", '{"a":12345678901234567890123}'],
    ["JSON.stringify(undefined)", null],
    ["p.big.toJSON()", "12345678901234567890123"],
    ["p.big", new ExactNumber("12345678901234567890123")],
  ])("%s is right", async (expression, expected) => {
    expect(await value(`((p) => ${expression} ?? null)(delivery.payload)`, body)).toEqual(expected);
  });
});

describe("a locale and a time zone", () => {
  it.each<[string, unknown]>([
    ["(1234567.891).toLocaleString('de-DE')", "1.234.567,891"],
    ["(1234.5).toLocaleString('de-DE', { style: 'currency', currency: 'EUR' })", "1.234,50\u00a0€"],
    ["(0.256).toLocaleString(undefined, { style: 'percent' })", "26%"],
    ["(1234567).toLocaleString('en-IN')", "12,34,567"],
    [
      "12345678901234567890n.toLocaleString('fr-FR')",
      "12\u202f345\u202f678\u202f901\u202f234\u202f567\u202f890",
    ],
    ["new Date(0).toLocaleDateString('de-DE')", "1.1.1970"],
    [
      "new Date(0).toLocaleString('en-US', { timeZone: 'America/New_York' })",
      "12/31/1969, 7:00:00 PM",
    ],
    ["new Date(0).toLocaleTimeString('de-DE', { timeZone: 'Asia/Tokyo' })", "09:00:00"],
    ["new Date(0).toLocaleDateString('fr-FR', { dateStyle: 'long' })", "1 janvier 1970"],
    ["new Date(0).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' })", "Thursday"],
    ["['z', 'ä', 'a', 'B'].sort((a, b) => a.localeCompare(b))", ["a", "ä", "B", "z"]],
    ["['z', 'ä'].sort((a, b) => a.localeCompare(b, 'sv'))", ["z", "ä"]],
    [
      "['a10', 'a2'].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))",
      ["a2", "a10"],
    ],
    ["['b', 'B', 'a', 'A'].sort((a, b) => a.localeCompare(b))", ["a", "A", "b", "B"]],
    ["'a'.localeCompare('A', 'en', { sensitivity: 'base' })", 0],
    ["'title'.toLocaleUpperCase('tr')", "TİTLE"],
    ["'I'.toLocaleLowerCase('tr')", "ı"],
  ])("%s is %j, as in a browser", async (expression, expected) => {
    expect(await value(expression)).toEqual(expected);
  });

  it.each([
    "(1).toLocaleString('no_SUCH')",
    "new Date(0).toLocaleString('en', { timeZone: 'Mars/Base' })",
    "new Date(NaN).toLocaleString('en')",
    "'a'.localeCompare('é', 'x')",
  ])("%s is an error", async (expression) => {
    expect(await value(expression)).toMatchObject({
      code: "threw",
      line: 1,
      message: expect.stringContaining("RangeError"),
    });
  });

  test("sorting a long list of words stays within the time", async () => {
    const code =
      "Array.from({ length: 2000 }, (_, at) => 'w' + ((at * 7919) % 2000)).sort((a, b) => a.localeCompare(b))[1]";
    expect(await value(code)).toBe("w1");
  });
});

it.each<[string, unknown]>([
  ["atob('aGVsbG8=')", "hello"],
  ["atob(' aGVs\\nbG8 ')", "hello"],
  ["btoa('hello') + btoa('a') + btoa('ab') + btoa('')", "aGVsbG8=YQ==YWI="],
  ["btoa(unescape(encodeURIComponent('é😀')))", "w6nwn5iA"],
  ["decodeURIComponent(escape(atob('w6nwn5iA')))", "é😀"],
  [
    "[...Array(256).keys()].every((n) => { const t = String.fromCharCode(n, 7, n); return atob(btoa(t)) === t })",
    true,
  ],
])("%s is %j", async (expression, expected) => {
  expect(await value(expression)).toEqual(expected);
});

it.each(["atob('a')", "atob('*')", "atob('aGVs=')", "btoa('€')"])(
  "%s is an error",
  async (expression) => {
    expect(await value(expression)).toMatchObject({ code: "threw", line: 1 });
  },
);

it.each([
  ["new Intl.NumberFormat('de').format(1)", "toLocaleString"],
  ["new URL('https://a.example')", "decodeURIComponent"],
  ["new URLSearchParams('a=1')", "delivery.query"],
  ["new TextEncoder().encode('x')", "encodeURIComponent"],
  ["new TextDecoder()", "decodeURIComponent"],
  ["structuredClone({})", "..."],
  ["crypto.randomUUID()", "delivery.id"],
  ["Buffer.from('x')", "btoa"],
  ["fetch('https://a.example')", "step"],
  ["console.log(1)", "preview"],
  ["setTimeout(() => 1)", "delay"],
])("%s names what to use instead", async (expression, advice) => {
  expect(await value(expression)).toMatchObject({
    code: "threw",
    message: expect.stringMatching(/ReferenceError: .* transforms don't have it\. /),
  });
  expect(await value(expression)).toMatchObject({ message: expect.stringContaining(advice) });
  expect(await value(`typeof ${/\w+/.exec(expression.replace("new ", ""))?.[0]}`)).toBe(
    "undefined",
  );
});

test("the editor offers what there is, and says what there isn't", async () => {
  const types = (names: readonly string[]) =>
    value(`[${names.map((name) => `typeof ${name}`).join(", ")}]`);
  const of = (kind: string) => builtIns.filter((one) => one.kind === kind).map(({ name }) => name);
  expect(new Set((await types(of("function"))) as string[])).toEqual(new Set(["function"]));
  expect(new Set((await types(of("not here"))) as string[])).toEqual(new Set(["undefined"]));
  const samples = ["''", "1", "new Date()"];
  for (const method of of("method")) {
    const found = (await types(samples.map((sample) => `(${sample}).${method}`))) as string[];
    expect([method, found.includes("function")]).toEqual([method, true]);
  }
});
