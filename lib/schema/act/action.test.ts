import { describe, expect, test } from "vitest";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { actionInputSchema, actionPatchSchema } from "./action.ts";
import { defaultRetryPolicy } from "./retry-policy.ts";

const request = { method: "POST", url: "https://api.example.com/v1" };

/** "path: message" of every error. */
function problems(
  input: unknown,
  schema: typeof actionInputSchema | typeof actionPatchSchema = actionInputSchema,
): string[] {
  const parsed = schema.safeParse(input);
  return parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
}

function requestProblems(fields: object): string[] {
  return problems({ name: "a", request: { ...request, ...fields } });
}

describe("an action", () => {
  test("needs a name, a method, and a URL; the rest has defaults", () => {
    expect(actionInputSchema.parse({ name: " CRM ", request })).toEqual({
      name: "CRM",
      enabled: true,
      success: null,
      rateLimit: null,
      breaker: null,
      order: null,
      filter: null,
      request: { ...request, headers: {}, query: {}, body: null, bodyText: null, forward: null },
      timeoutMs: 15_000,
      retry: defaultRetryPolicy,
      maxConcurrency: null,
    });
  });

  test("a change doesn't fill in omitted fields", () => {
    expect(actionPatchSchema.parse({})).toEqual({});
    expect(actionPatchSchema.parse({ enabled: false })).toEqual({ enabled: false });
    expect(actionPatchSchema.parse({ request })).not.toHaveProperty("request.auth");
    expect(actionPatchSchema.parse({ request: { ...request, auth: null } })).toHaveProperty(
      "request.auth",
      null,
    );
  });

  test("an unknown field is rejected with its path", () => {
    expect(problems({ name: "a", request, hue: 1 })[0]).toContain("hue");
    expect(requestProblems({ hue: 1 })[0]).toContain("hue");
    expect(problems({ name: "a", request, retry: { hue: 1 } })[0]).toMatch(/^retry: .*hue/);
  });

  test.each([
    [{ name: "" }, "name"],
    [{ name: "x".repeat(201) }, "name"],
    [{ name: "a\u0000b" }, "name"],
    // The database would store another character, and a page would show letters in another order.
    [{ name: "a\ud800b" }, "name"],
    [{ name: "a\u202eb" }, "name"],
    [{ timeoutMs: 60_001 }, "timeoutMs"],
    [{ timeoutMs: 1.5 }, "timeoutMs"],
    [{ maxConcurrency: 0 }, "maxConcurrency"],
    [{ position: -1 }, "position"],
    [{ retry: { maxAttempts: 0 } }, "retry.maxAttempts"],
    [{ retry: { on: ["dns"] } }, "retry.on.0"],
    [{ retry: { on: [200] } }, "retry.on.0"],
    [{ retry: { initialDelayMs: 1000, maxDelayMs: 500 } }, "retry.maxDelayMs"],
    [{ filter: { all: [{ path: "nope", op: "exists" }] } }, "filter.all.0.path"],
  ])("%j is rejected at its path", (fields, path) => {
    expect(problems({ name: "a", request, ...fields })[0]).toMatch(new RegExp(`^${path}: `));
  });
});

describe("the request of an action", () => {
  test.each([
    "Host",
    "CONTENT-LENGTH",
    "transfer-encoding",
    "Connection",
    "keep-alive",
    "TE",
    "trailer",
    "upgrade",
    "expect",
    "Proxy-Connection",
    "webhook-signature",
    "Idempotency-Key",
    "user-agent",
    "Catchment-Signature",
    "a b",
    "a:b",
    "é",
    "",
  ])("the header %j is rejected", (header) => {
    expect(requestProblems({ headers: { [header]: "x" } })).toHaveLength(1);
  });

  test.each<[object, RegExp]>([
    [{ method: "TRACE" }, /^request\.method: must be GET/],
    [{ url: "ftp://h/" }, /^request\.url: must start with/],
    [{ url: "javascript:{{ x }}" }, /^request\.url: must start with/],
    [{ headers: { "x-a": "a\r\nb" } }, /^request\.headers\.x-a: .*CR/],
    [{ headers: { "X-A": "1", "x-a": "2" } }, /^request\.headers: .*twice/],
    [{ body: {}, bodyText: "x" }, /^request\.bodyText: .*together/],
    [{ method: "GET", body: {} }, /^request\.body: a GET request has no body/],
    [{ method: "HEAD", bodyText: "x" }, /^request\.bodyText: a HEAD request/],
    [{ body: () => 1 }, /^request\.body: must be a JSON value/],
    [{ body: Array.from({ length: 5001 }, () => 0) }, /^request\.body: .*5000/],
    [{ body: "x".repeat(300_000) }, /^request\.body: .*characters/],
    [{ auth: { type: "bearer", token: "a\nb" } }, /^request\.auth\.token: /],
    [
      { auth: { type: "basic", username: "a:b", password: "" } },
      /^request\.auth\.username: .*colon/,
    ],
    [{ auth: { type: "header", name: "Host", value: "x" } }, /^request\.auth\.name: /],
    [
      { auth: { type: "bearer", token: "t" }, headers: { authorization: "x" } },
      /^request\.headers: .*set by auth/,
    ],
    [
      { auth: { type: "bearer", token: "t" }, url: "{{ data.url }}" },
      /^request\.auth: .*fixed origin/,
    ],
    [
      { auth: { type: "query", name: "k", value: "v" }, url: "{{ data.url }}" },
      /^request\.auth: .*fixed origin/,
    ],
    [
      { auth: { type: "query", name: "k", value: "v" }, query: { k: "1" } },
      /^request\.query: .*set by auth/,
    ],
    [
      { auth: { type: "body", name: "k", value: "v" }, body: { k: "1" } },
      /^request\.body: .*set by auth/,
    ],
    [
      { auth: { type: "body", name: "k", value: "v" }, bodyText: "k" },
      /^request\.auth: .*an object/,
    ],
  ])("%j", (fields, message) => {
    const found = requestProblems(fields);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  test("a body of 100,000 levels is rejected, not a stack overflow", () => {
    const body = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    expect(requestProblems({ body })).toEqual([
      "request.body: must not be nested deeper than 64 levels",
    ]);
  });

  test("exact numbers and a key __proto__ pass through a body", () => {
    const body = JSON.parse('{"__proto__":1,"n":[]}');
    body.n.push(new ExactNumber("1.10"));
    const parsed = actionInputSchema.parse({ name: "a", request: { ...request, body } });
    expect(JSON.stringify(parsed.request?.body)).toBe('{"__proto__":1,"n":[1.10]}');
  });
});

test.each([
  ["https://bücher.example/a?q={{ id }}", "https://xn--bcher-kva.example/a?q={{ id }}"],
  // What follows stays, so that the URL is rejected, and no call goes to the root.
  ["https://bücher.example\\hook", "https://bücher.example\\hook"],
  ["https://bü\tcher.example/a", "https://bü\tcher.example/a"],
  ["https://\u0430pple.com:8443", "https://xn--pple-43d.com:8443"],
  ["http://ex\uff41mple。com/ä", "http://example.com/ä"],
  ["https://api.example.com/ü", "https://api.example.com/ü"],
  ["https://API.example.com:443/", "https://API.example.com:443/"],
])("the host of %s is kept and shown in ASCII", (url, expected) => {
  const parsed = actionInputSchema.parse({ name: "a", request: { method: "GET", url } });
  expect(parsed.request?.url).toBe(expected);
});

test("an invalid field hides no other errors, even if they depend on several fields", () => {
  const wrong = {
    name: "",
    request: { method: "GET", url: "", body: { a: 1 }, bodyText: "x" },
    retry: { maxAttempts: 0, initialDelayMs: 5_000, maxDelayMs: 200 },
  };
  const paths = actionInputSchema.safeParse(wrong).error?.issues.map(({ path }) => path.join("."));
  expect(new Set(paths)).toEqual(
    new Set([
      "name",
      "request.url",
      "request.body",
      "request.bodyText",
      "retry.maxAttempts",
      "retry.maxDelayMs",
    ]),
  );
});
