import { describe, expect, test } from "vitest";
import { isWhollyMasked, maskBody, maskHeaders, maskQuery } from "./mask-body.ts";
import { maskCall } from "./mask-call.ts";
import { maskSentence } from "./mask-sentence.ts";
import { startMasking } from "./mask-state.ts";

const secret = "jo@example.com";
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

function mask(body: string | Uint8Array, ...fields: string[]): string {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return Buffer.from(maskBody(bytes, startMasking(fields))).toString();
}

describe("which fields a pattern names", () => {
  const body = '{"data":{"object":{"card":{"last4":"4242","exp":1},"id":"x"}},"email":"a"}';
  test.each([
    [
      "data.object.card.*",
      '{"data":{"object":{"card":{"last4":"••••","exp":"••••"},"id":"x"}},"email":"a"}',
    ],
    ["card", '{"data":{"object":{"card":"••••","id":"x"}},"email":"a"}'],
    ["**.EMAIL", '{"data":{"object":{"card":{"last4":"4242","exp":1},"id":"x"}},"email":"••••"}'],
    [
      "payload.data.object.id",
      '{"data":{"object":{"card":{"last4":"4242","exp":1},"id":"••••"}},"email":"a"}',
    ],
    [
      "data.*.card.last4",
      '{"data":{"object":{"card":{"last4":"••••","exp":1},"id":"x"}},"email":"a"}',
    ],
    ["data.**", '{"data":"••••","email":"a"}'],
    ["**", '"••••"'],
  ])("%s", (field, expected) => expect(mask(body, field)).toBe(expected));

  test("they go through lists, and an index is a name", () => {
    const list = '[{"users":[{"email":"a"},{"email":"b"}]}]';
    expect(mask(list, "users.email")).toBe('[{"users":[{"email":"••••"},{"email":"••••"}]}]');
    expect(mask('{"to":["a","b"]}', "to.*")).toBe('{"to":["••••","••••"]}');
    expect(mask('{"to":["a","b"]}', "to.1")).toBe('{"to":["a","••••"]}');
  });

  test("they match in an envelope, and in a part of what they name", () => {
    expect(mask('{"value":[{"user":{"email":"a"}}]}', "user.email")).toContain("••••");
    expect(mask('{"user":{"email":"a"}}', "value.user.email")).toContain("••••");
    expect(mask('{"email":"a","name":"b"}', "customer.*")).toBe('{"email":"a","name":"b"}');
  });
});

test("what isn't masked stays as it was sent, digit by digit", () => {
  const body = '{ "n" : 1.10e2,\n "big":12345678901234567890, "email" : null , "u":"\\u00e9" }';
  expect(mask(body, "email")).toBe(body.replace("null", '"••••"'));
});

test.each([
  [`payload=${encodeURIComponent(`{"user":{"email":"${secret}"}}`)}`],
  [`payload={"user":{"email":"${secret}"}}`],
  [`${encodeURIComponent(`{"email":"${secret}"}`)}=`],
  [`a=100%&email=${secret}`],
])("a form shows no masked field, also in JSON: %s", (body) => {
  const shown = mask(body, "user.email", "email");
  const read = decodeURIComponent(shown.replace("100%", ""));
  expect([read.includes(secret), read.includes("••••")]).toEqual([false, true]);
});

test.each([
  ["JSON in UTF-16", Buffer.from(`{"email":"a=${secret}"}`, "utf16le")],
  ["a repeated name", `{"email":"x","a":{"b":1,"b":"${secret}"}}`],
  ["no JSON", `{"email":"${secret}"`],
  ["text", `Mail ${secret}`],
  ["HTML", `<!doctype html><p>${secret}<br></p>`],
  ["a form that can't be decoded", `email=${secret}&a=%FF`],
  ["bytes", Buffer.from([0xff, 0xfe, 0x00])],
  [
    "a multipart form",
    `--b\r\ncontent-disposition: form-data; name="email"\r\n\r\n${secret}\r\n--b--`,
  ],
])("%s is masked as a whole", (_what, body) => {
  const shown = maskBody(Buffer.from(body), startMasking(["other"]));
  expect(isWhollyMasked(shown)).toBe(true);
});

test.each([
  ["JSON in a string", JSON.stringify({ message: JSON.stringify({ email: secret }) })],
  ["JSON in a form", `payload=${encodeURIComponent(JSON.stringify({ a: [{ email: secret }] }))}`],
  ["a form in a string", JSON.stringify({ body: `a=1&email=${secret}` })],
  ["a nested name of a form", `customer[email]=${secret}&b=1`],
  ["an encoded name of a form", `%65mail=${secret}&b=1`],
  ["the query of a URL", JSON.stringify({ url: `https://a.example/b?c=1&email=${secret}` })],
  ["base64", JSON.stringify({ data: base64({ email: secret }) })],
  [
    "a token",
    JSON.stringify({ signed: `${base64({ alg: "x" })}.${base64({ email: secret })}.c2ln` }),
  ],
  [
    "a token in a token",
    JSON.stringify({ t: `e30.${base64({ i: `e30.${base64({ email: secret })}.a` })}.a` }),
  ],
  ["a part of JSON in a string", JSON.stringify({ message: `{"email":"${secret}` })],
  ["the fragment of a URL", JSON.stringify({ url: `https://a.example/b?c=1#d=2&email=${secret}` })],
  ["a name with dots", JSON.stringify({ "customer.email": secret })],
  ["a name with brackets", JSON.stringify({ "customer[0][email]": secret })],
  ["a form that can't be decoded", JSON.stringify({ body: `email=${secret}&a=%FF` })],
])("%s is masked too", (_what, body) => {
  const shown = decodeURIComponent(mask(body, "**.email"));
  expect(shown).toContain("••••");
  for (const part of [secret, Buffer.from(secret).toString("base64").slice(0, 12)])
    expect(shown).not.toContain(part);
});

test("of forms in forms without end, the start is looked into, and the rest is masked", () => {
  const shown = mask(JSON.stringify({ body: `${"a=".repeat(2_000)}email=jo` }), "**.email");
  expect(shown).toMatch(/^\{"body":"a=a%3D/);
  expect(shown.length).toBeLessThan(500);
  expect(shown).not.toContain("jo");
});

test("a name that stands for several is masked by all of them", () => {
  const body = '{"customer.email":"a","customer.name":"b","x.customer":{"email":"c"}}';
  expect(mask(body, "customer.email")).toBe(
    '{"customer.email":"••••","customer.name":"b","x.customer":{"email":"••••"}}',
  );
});

test("a large payload needs few states, whatever its names", () => {
  const item = (index: number) => ({ [`n${index}`]: { a: [{ b: index }] }, email: index });
  const list = JSON.stringify(Array.from({ length: 2_000 }, (_, index) => item(index)));
  const state = startMasking(["**.email", "a.b.c", "x.*.y"]);
  expect(Buffer.from(maskBody(Buffer.from(list), state)).toString()).toContain('"email":"••••"');
  expect(state.all.size).toBeLessThan(10);
});

test("patterns with many states are right beyond those that are kept", () => {
  const field = `a.${"*.".repeat(14)}z`;
  const state = startMasking([field]);
  const random = (index: number) => Array.from({ length: 14 }, (_, bit) => (index >> bit) & 1);
  for (let index = 0; index < 2 ** 14; index += 3) {
    const names = random(index).map((bit) => (bit === 1 ? "a" : "b"));
    const nest = (last: string) =>
      ["a", ...names, last].reduceRight((inside, name) => `{"${name}":${inside}}`, '"v"');
    const shown = Buffer.from(maskBody(Buffer.from(nest("z")), state)).toString();
    expect(shown).toBe(nest("z").replace('"v"', '"••••"'));
  }
});

test("a form keeps what isn't masked", () => {
  expect(mask("a=1&email=x%40y&b=%20", "email")).toBe("a=1&email=••••&b=%20");
});

test("headers and queries are masked by their names", () => {
  const state = startMasking(["headers.x-customer", "email", "query.phone"]);
  const pairs = [
    ["X-Customer", "Jo"],
    ["Email", "a"],
    ["X-Other", '{"email":"a"}'],
  ] as const;
  expect(maskHeaders(pairs, state).map(([, value]) => value)).toEqual([
    "••••",
    "••••",
    '{"email":"••••"}',
  ]);
  expect(maskQuery("a=1&email=x&phone=2", state)).toBe("a=1&email=••••&phone=••••");
  expect(maskQuery("just text", state)).toBe("••••");
});

test("of a call, its outline is left", () => {
  const call = {
    method: "POST",
    url: `https://a.example/u/${secret}?x=1`,
    headers: [["x-a", secret]],
    body: secret,
    bodyTruncated: false,
  };
  expect(JSON.parse(maskCall(JSON.stringify(call)))).toEqual({
    ...{ method: "POST", url: "https://a.example/••••", bodyTruncated: false },
    ...{ headers: [["x-a", "••••"]], body: "••••" },
  });
  const result = {
    status: 200,
    headers: { a: secret },
    body: { email: secret },
    error: { code: "timeout", message: secret },
  };
  expect(maskCall(JSON.stringify(result))).not.toContain(secret);
  expect(maskCall(JSON.stringify(result))).toContain('"status":200');
});

test("of reasons, those that quote nothing are left", () => {
  const last = "The receiver responded with 500; attempt 3 of 3 was the last";
  expect(maskSentence("attempts_exhausted", last)).toBe(last);
  expect(maskSentence("not_retried", `Step a: ${last}`)).toBe(`Step a: ${last}`);
  const earlier = "The receiver answered with a redirect (302); this is not retried";
  expect(maskSentence("not_retried", earlier)).toBe(earlier);
  expect(maskSentence("timeout", `no answer from ${secret}`)).toBe(
    "The receiver did not answer in time.",
  );
  expect(maskSentence("signature_mismatch", "Signature doesn't match.")).toBe(
    "Signature doesn't match.",
  );
  for (const code of [
    "filter_not_matched",
    "mapping_failed",
    "schema_mismatch",
    "not_retried",
    null,
  ])
    expect(
      maskSentence(code, `The receiver responded with 200, but body.email is ${secret}`),
    ).not.toContain(secret);
});
