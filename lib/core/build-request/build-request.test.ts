import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import type { MappingContext } from "#lib/core/template/mapping-context.ts";
import { checkout, contextOf } from "#lib/core/template/testing/test-context.ts";
import { actionInputSchema } from "#lib/schema/action.ts";
import type { ActionRequestTemplate, RequestAuth } from "#lib/schema/action-request.ts";
import { type BuildResult, buildRequest } from "./build-request.ts";
import { checkRequestTemplates } from "./check-request-templates.ts";
import { readTemplateOrigin } from "./template-origin.ts";

const context = contextOf(checkout);
const runId = "0193b000-0000-7000-8000-00000000000a";

type Partial_ = Partial<ActionRequestTemplate>;

function requestOf(fields: Partial_): ActionRequestTemplate {
  return {
    method: "POST",
    url: "https://api.example.com/v1",
    headers: {},
    query: {},
    body: null,
    bodyText: null,
    forward: null,
    ...fields,
  };
}

function build(
  fields: Partial_,
  from: MappingContext = context,
  auth: RequestAuth | null = null,
): BuildResult {
  return buildRequest({
    request: requestOf(fields),
    auth,
    context: from,
    runId,
    version: "0.1.0",
    nowMs: 0,
  });
}

function sent(fields: Partial_, from?: MappingContext, auth?: RequestAuth) {
  const built = build(fields, from, auth);
  if (!built.ok) throw new Error(JSON.stringify(built.errors));
  const { body, headers, ...rest } = built.request;
  return {
    ...rest,
    headers: Object.fromEntries(headers),
    body: body === null ? null : new TextDecoder().decode(body),
  };
}

function exact(text: string) {
  const parsed = parseExactJson(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}

describe("the request of the contract", () => {
  test("sends a number as a number, with the run's id and our name", () => {
    const body = {
      email: "{{ data.object.customer_email }}",
      amount: "{{ data.object.amount_total }}",
    };
    expect(sent({ body })).toEqual({
      method: "POST",
      url: "https://api.example.com/v1",
      headers: {
        "Content-Type": "application/json",
        "Idempotency-Key": runId,
        "User-Agent": "Catchment/0.1.0",
        "Catchment-Hops": "1",
      },
      body: '{"email":"jane@example.com","amount":4200}',
    });
  });

  test("numbers of the payload and of the body itself keep their digits", () => {
    const body = exact(
      '{"a":"{{ data.object.big }}","b":["{{ data.object.price }}","{{ data.object.huge }}","{{ data.object.zero }}"],"c":2.50,"d":98765432109876543210,"__proto__":"x{{ data.object.price }}"}',
    );
    expect(sent({ body }).body).toBe(
      '{"a":12345678901234567890123,"b":[1.10,1e400,-0],"c":2.50,"d":98765432109876543210,"__proto__":"x1.10"}',
    );
  });

  test("keys of a body are no templates", () => {
    expect(sent({ body: { "{{ hook.name }}": "{{ hook.name }}" } }).body).toBe(
      '{"{{ hook.name }}":"Shop"}',
    );
  });

  test("no body, no content type", () => {
    expect(sent({ method: "GET" })).toMatchObject({ method: "GET", body: null });
    expect(sent({ method: "GET" }).headers).not.toHaveProperty("Content-Type");
  });

  test("every name that is missing is named, wherever it is", () => {
    const built = build({
      url: "https://api.example.com/{{ data.u }}",
      headers: { "X-A": "{{ data.h }}" },
      query: { q: "{{ data.q }}" },
      body: { email: "{{ data.a }}", list: [{ b: "{{ data.b }} {{ data.c }}" }] },
    });
    expect(built).toEqual({
      ok: false,
      code: "mapping_failed",
      errors: [
        { at: "query.q", message: "data.q is not in this payload" },
        { at: "url", message: "data.u is not in this payload" },
        { at: "headers.X-A", message: "data.h is not in this payload" },
        { at: "body.email", message: "data.a is not in this payload" },
        { at: "body.list[0].b", message: "data.b is not in this payload" },
        { at: "body.list[0].b", message: "data.c is not in this payload" },
      ],
    });
  });

  test("a value that is named a thousand times does not make a body without end", () => {
    const large = contextOf(JSON.stringify({ data: "x".repeat(1_000_000) }));
    expect(
      build({ body: Array.from({ length: 1000 }, () => "{{ payload }}") }, large),
    ).toMatchObject({
      ok: false,
    });
    expect(build({ body: Array.from({ length: 1000 }, () => "-{{ data }}") }, large)).toMatchObject(
      {
        ok: false,
      },
    );
    expect(build({ body: "{{ payload }}" }, large)).toMatchObject({ ok: true });
  });

  test.each([
    ["JSON", {}],
    ["form", { "Content-Type": "application/x-www-form-urlencoded" }],
  ])("a small delivery does not become a request of megabytes: %s", (kind, headers) => {
    const small = contextOf(JSON.stringify({ data: "x".repeat(10_000) }));
    const buildTimes = (times: number) =>
      build({ headers, body: { a: Array.from({ length: times }, () => "{{ data }}") } }, small);
    expect(buildTimes(90)).toMatchObject({ ok: true });
    const message = `the ${kind} is longer than ${1024 * 1024 + 4 * 10_011} characters`;
    expect(buildTimes(120)).toEqual({
      ok: false,
      code: "body_invalid",
      errors: [{ at: "body", message }],
    });
  });

  test("a large payload goes on whole, as a form too", () => {
    const large = contextOf(JSON.stringify({ data: '"'.repeat(3_000_000) }));
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    expect(build({ headers, body: { a: "{{ data }}" } }, large)).toMatchObject({ ok: true });
  });
});

describe("the URL", () => {
  test.each([
    [
      "https://api.example.com/u/{{ data.object.customer_email }}",
      "https://api.example.com/u/jane%40example.com",
    ],
    [
      "https://api.example.com:8443/a?x={{ data.object.items[1].sku }}",
      "https://api.example.com:8443/a?x=B%202",
    ],
    ["https://api.example.com?x=1", "https://api.example.com/?x=1&q=a%26b&r=1"],
    ["http://localhost:8080/{{ type }}/", "http://localhost:8080/checkout.completed/"],
  ])("%s", (url, expected) => {
    const query = expected.includes("q=") ? { q: "a&b", r: "{{ query.a }}" } : {};
    expect(sent({ url, query }).url).toBe(expected);
  });

  test("wholly one template, it may be any http(s) URL; a fragment is not sent", () => {
    const from = contextOf(JSON.stringify({ data: { callback: "https://other.example/x?y=1#z" } }));
    expect(sent({ url: "{{ data.callback }}" }, from).url).toBe("https://other.example/x?y=1");
  });

  test.each([
    "ftp://h/",
    "javascript:alert(1)",
    "//h/",
    "/path",
    "",
    "https://u:p@h/",
    "https://@h/",
    "https://h\\@evil/",
    "https://h/a b",
    "https://h/\ta",
    "http://",
  ])("wholly one template, %j is refused", (callback) => {
    const built = build(
      { url: "{{ data.callback }}" },
      contextOf(JSON.stringify({ data: { callback } })),
    );
    expect(built).toMatchObject({ ok: false, code: "url_invalid", errors: [{ at: "url" }] });
  });

  test.each([
    "https://{{ data.object.currency }}.example.com/",
    "https://api.example.com{{ data.object.currency }}/",
    "https://api.example.com:{{ data.object.amount_total }}/",
    "{{ data.object.currency }}://h/",
    "{{ data.object.currency }}{{ data.object.currency }}",
    "https://{% if type %}a{% else %}b{% endif %}.example.com/",
    "https://user:pass@h/",
    "https://h/#frag",
    "https:///x",
    "https://h:99999/",
    "https://h\\x/",
    "https://h/a b",
    "https://h/a\\b/{{ type }}",
    "https://h/{{ type }}/a\tb",
  ])("%s is refused when it is saved and when it is sent", (url) => {
    expect(checkRequestTemplates(requestOf({ url }))).toMatchObject({
      ok: false,
      errors: [{ path: "url" }],
    });
    expect(build({ url })).toMatchObject({ ok: false });
  });

  test("credentials never go where a payload says", () => {
    const from = contextOf(JSON.stringify({ data: { callback: "https://evil.example/" } }));
    const built = build({ url: "{{ data.callback }}" }, from, { type: "bearer", token: "secret" });
    expect(built).toMatchObject({ ok: false, code: "url_invalid" });
    expect(JSON.stringify(built)).not.toContain("secret");
  });

  test("no value changes the origin or walks out of its path segment", () => {
    const evil = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "..",
        ".",
        "/",
        "//evil.com",
        "@evil.com",
        "\\evil",
        "?x",
        "#x",
        ":81",
        "%2e%2e",
        "..%2f",
        "\t",
        "\r\nHost: x",
        "evil.com/@",
      ),
      fc.double(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(evil, evil, (a, b) => {
        const from = contextOf(JSON.stringify({ data: { a, b } }));
        const built = build(
          { url: "https://api.example.com:8443/v1/{{ data.a }}/x{{ data.b }}?q={{ data.b }}" },
          from,
        );
        if (!built.ok) return;
        const url = new URL(built.request.url);
        expect(url.origin).toBe("https://api.example.com:8443");
        expect(url.username + url.password + url.hash).toBe("");
        expect(url.pathname.split("/")).toHaveLength(4);
        expect(url.pathname.startsWith("/v1/")).toBe(true);
        expect([...url.searchParams.keys()]).toEqual(["q"]);
      }),
      { numRuns: 500 },
    );
  });

  test("the origin that credentials belong to", () => {
    expect(readTemplateOrigin("https://API.example.com:443/{{ x }}")).toBe(
      "https://api.example.com",
    );
    expect(readTemplateOrigin("{{ data.url }}")).toBeNull();
    expect(readTemplateOrigin("https://{{ data.host }}/")).toBeNull();
  });
});

describe("headers", () => {
  test("auth becomes the header it says", () => {
    expect(sent({}, context, { type: "bearer", token: "t" }).headers).toMatchObject({
      Authorization: "Bearer t",
    });
    expect(
      sent({}, context, { type: "basic", username: "ü", password: "p:q" }).headers,
    ).toMatchObject({
      Authorization: `Basic ${Buffer.from("ü:p:q").toString("base64")}`,
    });
    expect(
      sent({}, context, { type: "header", name: "X-Key", value: "{{ x }}" }).headers,
    ).toMatchObject({
      "X-Key": "{{ x }}",
    });
  });

  test.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "connection",
    "Keep-Alive",
    "TE",
    "Trailer",
    "Upgrade",
    "Expect",
    "Proxy-Authorization",
    "Webhook-Id",
    "idempotency-key",
    "User-Agent",
    "x y",
    "x\r\n",
  ])("%j can't be set, even if it got into the database", (name) => {
    expect(build({ headers: { [name]: "x" } })).toMatchObject({
      ok: false,
      code: "header_invalid",
    });
  });

  test("no value gets CR, LF, NUL or a character beyond Latin-1 into a header", () => {
    const evil = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("a\r\nX: 1", "\0", "\n", "é", "€", "\u2028", "\x85", "\x7f"),
    );
    fc.assert(
      fc.property(evil, (v) => {
        const from = contextOf(JSON.stringify({ data: { v } }));
        const built = build(
          {
            headers: {
              "X-A": "{{ data.v }}",
              "X-B": "{% for i in (1..2) %}{{ data.v | upcase }}{% endfor %}",
            },
          },
          from,
        );
        if (built.ok)
          for (const [, value] of built.request.headers)
            expect(value).toMatch(/^[\t\x20-\x7e\x80-\xff]*$/);
        else expect(built.code).toBe("header_invalid");
      }),
    );
    expect(build({ headers: { "X-A": "€" } })).toMatchObject({
      errors: [{ at: "headers.X-A", message: "a header can't hold the character U+20AC" }],
    });
  });
});

test("each control character alone is refused in a header, wherever it comes from", () => {
  for (let code = 0; code <= 0x7f; code += 1) {
    const character = String.fromCharCode(code);
    const isAllowed = code === 9 || (code >= 0x20 && code < 0x7f);
    const from = contextOf(JSON.stringify({ data: { v: character } }));
    expect([code, build({ headers: { "X-A": "a{{ data.v }}b" } }, from).ok]).toEqual([
      code,
      isAllowed,
    ]);
    // Braces would start a template.
    if (character !== "{")
      expect([code, build({ headers: { "X-A": `a${character}b` } }).ok]).toEqual([code, isAllowed]);
  }
});

test("a missing name decides the code, whatever else is wrong", () => {
  expect(build({ headers: { "X-A": "€" }, body: "{{ data.nope }}" })).toMatchObject({
    code: "mapping_failed",
    errors: [{ at: "headers.X-A" }, { at: "body" }],
  });
});

test("all templates of a request share one budget", () => {
  const one = "{% for i in (1..9000) %}x{% endfor %}";
  expect(build({ body: [one] })).toMatchObject({ ok: true });
  expect(build({ body: [one, one, one, one] })).toMatchObject({
    ok: false,
    code: "mapping_failed",
  });
});

describe("bodies by content type", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };

  test("an object becomes a form", () => {
    const body = {
      a: "{{ data.object.items[1].sku }}&",
      n: "{{ data.object.big }}",
      tags: "{{ data.object.tags }}",
      card: { number: 42, x: null },
    };
    expect(sent({ headers: form, body }).body).toBe(
      "a=B+2%26&n=12345678901234567890123&tags=new&tags=vip&card%5Bnumber%5D=42&card%5Bx%5D=",
    );
    expect(build({ headers: form, body: { l: "{{ data.object.items }}" } })).toMatchObject({
      ok: false,
      code: "body_invalid",
    });
    expect(build({ headers: form, body: ["a"] })).toMatchObject({
      ok: false,
      code: "body_invalid",
    });
  });

  test("bodyText is encoded for its type", () => {
    const from = contextOf(JSON.stringify({ data: { v: '"<&\n' } }));
    const of = (type: string | null, bodyText: string) =>
      sent({ headers: type === null ? {} : { "Content-Type": type }, bodyText }, from);
    expect(of("application/json; charset=utf-8", '{"v":"{{ data.v }}"}').body).toBe(
      '{"v":"\\"<&\\n"}',
    );
    expect(of("application/vnd.api+json", "{{ data }}").body).toBe('{"v":"\\"<&\\n"}');
    expect(of("application/x-www-form-urlencoded", "v={{ data.v }}").body).toBe("v=%22%3C%26%0A");
    expect(of("text/xml", "<v>{{ data.v }}</v>").body).toBe("<v>&quot;&lt;&amp;\n</v>");
    expect(of(null, "{{ data.v }}")).toMatchObject({
      body: '"<&\n',
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
    expect(
      build({ headers: { "content-type": "application/json" }, bodyText: '{"v":}' }, from),
    ).toMatchObject({ code: "body_invalid" });
  });
});

describe("the check at save time", () => {
  test("names each template that does not parse, with its line and column", () => {
    const request = requestOf({
      headers: { "X-A": "{{ x | nope }}" },
      bodyText: null,
      body: { a: ["ok", "line\n {% if %}"], b: "{% include 'x' %}" },
    });
    expect(checkRequestTemplates(request)).toEqual({
      ok: false,
      errors: [
        { path: "headers.X-A", line: 1, column: 1, message: "there is no filter nope" },
        { path: "body.a[1]", line: 2, column: 7, message: expect.any(String) },
        { path: "body.b", line: 1, column: 1, message: "the tag include can't be used here" },
      ],
    });
    expect(
      checkRequestTemplates(requestOf({ url: "https://h/{{ data.id }}?x={{ 'a#b' }}" })),
    ).toEqual({
      ok: true,
    });
    expect(checkRequestTemplates(requestOf({ url: 'https://h/{{ data["a} #b"] }}' }))).toEqual({
      ok: true,
    });
    expect(checkRequestTemplates(requestOf({ url: "{{ data.url }}" }))).toEqual({ ok: true });
  });
});

describe("an API key in the query or the body", () => {
  test("is sent as it is, encoded for its place, and no template is looked for in it", () => {
    const value = "k&y={{ id }}";
    const query = sent({ query: { page: "2" } }, context, {
      type: "query",
      name: "api key",
      value,
    });
    expect(query.url).toBe(
      "https://api.example.com/v1?page=2&api%20key=k%26y%3D%7B%7B%20id%20%7D%7D",
    );
    const auth = { type: "body", name: "token", value } as const;
    expect(sent({ body: { a: "1" } }, context, auth).body).toBe('{"a":"1","token":"k&y={{ id }}"}');
    const form = {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: { a: "1" },
    };
    expect(sent(form, context, auth).body).toBe("a=1&token=k%26y%3D%7B%7B+id+%7D%7D");
  });

  test("never goes to an origin that a template decides", () => {
    for (const type of ["query", "body"] as const) {
      const fields = { url: "{{ data.object.url }}", body: {} };
      expect(build(fields, context, { type, name: "key", value: "v" })).toMatchObject({
        ok: false,
      });
    }
  });
});

describe("a delivery that is forwarded", () => {
  const raw = {
    method: "PUT",
    query: "?a=1&api_key=k&b=[redacted]&c",
    headers: [
      ["Content-Type", "text/xml"],
      ["Connection", "close, X-Hop"],
      ["X-Hop", "1"],
      ["Host", "hooks.example.com"],
      ["User-Agent", "Stripe/1.0"],
      ["webhook-signature", "v1,abc"],
      ["X-Gitlab-Token", "secret"],
      ["X-Secret-Of-The-Hook", "[redacted]"],
      ["X-Two", "1"],
      ["x-two", "2"],
    ],
    body: Buffer.from("<a/>"),
  } as const;
  const from = { ...context, raw };
  const forward = { method: true, query: true, headers: "all" } as const;
  const headersOf = (fields: Partial_, auth: RequestAuth | null = null) => {
    const built = build(fields, from, auth);
    if (!built.ok) throw new Error(JSON.stringify(built.errors));
    return built.request.headers.filter(
      ([name]) => !["Idempotency-Key", "Catchment-Hops"].includes(name),
    );
  };

  test("keeps order and letter case of its headers, without those of the connection and credentials", () => {
    expect(headersOf({ forward })).toEqual([
      ["Content-Type", "text/xml"],
      ["User-Agent", "Stripe/1.0"],
      ["webhook-signature", "v1,abc"],
      ["X-Two", "1"],
      ["x-two", "2"],
    ]);
  });

  test("the action's own headers and credentials replace forwarded ones", () => {
    const auth = { type: "header", name: "X-Two", value: "own" } as const;
    expect(headersOf({ forward, headers: { "content-type": "text/plain" } }, auth)).toEqual([
      ["content-type", "text/plain"],
      ["User-Agent", "Stripe/1.0"],
      ["webhook-signature", "v1,abc"],
      ["X-Two", "own"],
    ]);
  });

  test("by name: a token that was stored, and nothing else but what describes the body", () => {
    const chosen = {
      method: false,
      query: false,
      headers: ["x-gitlab-token", "x-secret-of-the-hook"],
    };
    expect(headersOf({ forward: chosen })).toEqual([
      ["Content-Type", "text/xml"],
      ["X-Gitlab-Token", "secret"],
      ["User-Agent", "Catchment/0.1.0"],
    ]);
    expect(sent({ forward: chosen }, from)).toMatchObject({
      method: "POST",
      url: "https://api.example.com/v1",
    });
  });

  test("has its method and query, without what is hidden in it", () => {
    expect(sent({ forward, query: { own: "{{ id }}" } }, from)).toMatchObject({
      method: "PUT",
      url: "https://api.example.com/v1?own=evt_1&a=1&c",
      body: "<a/>",
    });
  });

  test("refuses a header that can't be forwarded, and a second body", () => {
    const parse = (fields: object) =>
      actionInputSchema.shape.request.safeParse({ method: "POST", url: "https://h/", ...fields });
    for (const name of ["Host", "cookie", "Authorization", "Proxy-Foo", "transfer-encoding"])
      expect([name, parse({ forward: { headers: [name] } }).success]).toEqual([name, false]);
    expect(parse({ forward: {}, body: { a: 1 } }).success).toBe(false);
    expect(parse({ forward: {} }).data?.forward).toEqual(forward);
  });
});
