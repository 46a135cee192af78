import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listAuthSecrets } from "./auth-secrets.ts";
import { isSensitiveName, redactHeaders, redactUrl } from "./redact-request.ts";
import { redactBytes, redactStringValues, redactText } from "./redact-text.ts";

describe("redactText", () => {
  it.each([
    ["a sk_live_1234 b", ["sk_live_1234"], "a [redacted] b"],
    ["sk_live_1234sk_live_1234", ["sk_live_1234"], "[redacted]"],
    ["abcdefgh", ["abcde", "defgh"], "[redacted]"],
    ["abcdefgh", ["cdef", "abcdefgh"], "[redacted]"],
    ["p%40ss%20word", ["p@ss word"], "[redacted]"],
    ["p%40ss+word", ["p@ss word"], "[redacted]"],
    ['{"a":"x\\"y\\nz!"}', ['x"y\nz!'], '{"a":"[redacted]"}'],
    ["token=AbCd%2fEf%3d", ["AbCd/Ef="], "token=[redacted]"],
    ['{"a":"AbCd\\/Ef="}', ["AbCd/Ef="], '{"a":"[redacted]"}'],
    ['{"a":"P\\u00e4ss\\/w\\ud83d\\ude00"}', ["Päss/w😀"], '{"a":"[redacted]"}'],
    ['{"a":"a\\u0026b\\u003cc"}', ["a&b<c"], '{"a":"[redacted]"}'],
    ["<p>a&amp;b&lt;c &quot;&#039;</p>", ["a&b<c \"'"], "<p>[redacted]</p>"],
    ["<p>a&amp;b&lt;c &#34;&#39;</p>", ["a&b<c \"'"], "<p>[redacted]</p>"],
    ["<p>a&amp;b&lt;c &quot;&#x27;</p>", ["a&b<c \"'"], "<p>[redacted]</p>"],
    ["<p>a&amp;b&lt;c &quot;&#39;</p>", ["a&b<c \"'"], "<p>[redacted]</p>"],
    ['{"k":"a\\u002Bb/c="}', ["a+b/c="], '{"k":"[redacted]"}'],
    ["c2tfbGl2ZV8xMjM0", ["sk_live_1234"], "[redacted]"],
    [`Basic ${btoa("a:sk_live_1234:b")}`, ["sk_live_1234"], "Basic YTp[redacted]Q6Yg=="],
    [`{"t":"${btoa("ab?>sk_live_1234")}"}`, ["?>sk_live_1234"], '{"t":"YWI[redacted]A=="}'],
    ["cut in sk_live_", ["sk_live_1234"], "cut in [redacted]"],
    ["a abc b", ["abc"], "a abc b"],
    ["nothing here", ["sk_live_1234"], "nothing here"],
    ["nothing here", [], "nothing here"],
    ["a redacted b", ["redacted"], "a *** b"],
    ["a redacted *** b", ["redacted", "a ***"], "a *** *** b"],
  ])("%j without %j is %j", (text, secrets, expected) => {
    if (secrets.includes("a ***")) return expect(redactText(text, secrets)).not.toContain("a ***");
    expect(redactText(text, secrets)).toBe(expected);
  });

  it("no secret survives, whatever surrounds it and however it is encoded", () => {
    const letter = fc.constantFrom(
      "a",
      "b",
      "*",
      "[",
      "]",
      "r",
      "e",
      "d",
      "%",
      " ",
      '"',
      "\n",
      "é",
      "\ud800",
    );
    const secret = fc.oneof(
      fc.array(letter, { minLength: 4, maxLength: 9 }).map((letters) => letters.join("")),
      fc.string({ minLength: 4, unit: "binary" }),
    );
    const encode = fc.constantFrom(
      (value: string) => value,
      (value: string) => encodeURIComponent(value.toWellFormed()),
      (value: string) => JSON.stringify(value),
    );
    const surrounding = fc.array(letter, { maxLength: 12 }).map((letters) => letters.join(""));
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        encode,
        surrounding,
        surrounding,
        (secrets, enc, a, b) => {
          const redacted = redactText(a + secrets.map(enc).join(b) + b, secrets);
          for (const value of secrets) {
            expect(redacted).not.toContain(value);
            expect(redacted).not.toContain(encodeURIComponent(value.toWellFormed()));
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("redactBytes", () => {
  it("removes secrets from bytes that aren't text and keeps the rest", () => {
    const bytes = Buffer.concat([Buffer.of(0, 255, 254), Buffer.from("gehéimnis"), Buffer.of(128)]);
    const expected = Buffer.concat([
      Buffer.of(0, 255, 254),
      Buffer.from("[redacted]"),
      Buffer.of(128),
    ]);
    expect(Buffer.compare(redactBytes(bytes, ["gehéimnis"]), expected)).toBe(0);
    expect(redactBytes(bytes, ["other secret"])).toBe(bytes);
  });
});

describe("redactStringValues", () => {
  it("removes strings that equal the secret, and none that only contain it", () => {
    const body = Buffer.from('{"passcode":"42","amount":4200,"note":"42 items","list":["42",42]}');
    const expected =
      '{"passcode":"[redacted]","amount":4200,"note":"42 items","list":["[redacted]",42]}';
    expect(Buffer.from(redactStringValues(body, ["42"])).toString()).toBe(expected);
    expect(redactStringValues(body, ["other"])).toBe(body);
  });

  it("removes them in any notation", () => {
    const secret = 'pass"code/with ☃';
    for (const spelled of [
      JSON.stringify(secret),
      '"pass\\"code\\/with \\u2603"',
      '"\\u0070ass\\u0022code/with ☃"',
    ]) {
      const body = Buffer.from(`{"a\\"":${spelled},"b":"${"x".repeat(100_000)}"`);
      expect(Buffer.from(redactStringValues(body, [secret])).toString()).toContain(
        '{"a\\"":"[redacted]","b":"xx',
      );
    }
  });
});

describe("redactHeaders", () => {
  it.each([
    "authorization",
    "Proxy-Authorization",
    "cookie",
    "Set-Cookie",
    "x-api-key",
    "X-Hub-Signature-256",
    "webhook-signature",
    "X-Client-Secret",
    "x-gitlab-token",
    "X-Password",
    "ocp-apim-subscription-api-key",
  ])("hides %s completely", (name) => {
    expect(redactHeaders([[name, "Bearer abcd"]], [])).toEqual([[name, "[redacted]"]]);
  });

  it("removes known secrets from the others and keeps order and repeats", () => {
    const headers = [
      ["X-A", "1 s3cr3t 2"],
      ["idempotency-key", "abc"],
      ["X-A", "3"],
    ] as const;
    expect(redactHeaders(headers, ["s3cr3t"])).toEqual([
      ["X-A", "1 [redacted] 2"],
      ["idempotency-key", "abc"],
      ["X-A", "3"],
    ]);
  });

  it.each([
    "content-type",
    "user-agent",
    "idempotency-key",
    "webhook-id",
    "webhook-timestamp",
    "author",
    "monkey",
  ])("%s is not sensitive", (name) => expect(isSensitiveName(name)).toBe(false));
});

describe("redactUrl", () => {
  it.each([
    ["https://a.test/x?token=abc&b=1", "https://a.test/x?token=[redacted]&b=1"],
    ["https://a.test/x?b=1&api_key=a?b", "https://a.test/x?b=1&api_key=[redacted]"],
    ["https://a.test/x?%74oken=abc", "https://a.test/x?%74oken=[redacted]"],
    ["https://a.test/x?a=1#access_token=abc", "https://a.test/x?a=1#access_token=[redacted]"],
    ["https://u:p@a.test/", "https://[redacted]@a.test/"],
    ["https://a.test/hooks/s3cr3t/x?y=s3cr3t", "https://a.test/hooks/[redacted]/x?y=[redacted]"],
    ["https://a.test/?key", "https://a.test/?key"],
    ["not a url", "not a url"],
  ])("%s is shown as %s", (url, expected) => {
    expect(redactUrl(url, ["s3cr3t"])).toBe(expected);
  });
});

it("a header's credential is found without its authentication scheme", () => {
  const secrets = listAuthSecrets({
    type: "header",
    name: "Authorization",
    value: "Token abcdef0123",
  });
  expect(redactText("invalid token abcdef0123", secrets)).toBe("invalid token [redacted]");
  expect(listAuthSecrets({ type: "header", name: "X-Key", value: "abcdef0123" })).toEqual([
    "abcdef0123",
  ]);
});
