import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { checkRequestTemplates } from "./checks/check-request-templates.ts";
import { readTemplateOrigin } from "./template-origin.ts";
import { build, requestOf, sent } from "./testing/build.ts";

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

  test("as a single template may be any http(s) URL; a fragment isn't sent", () => {
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
  ])("as a single template, %j is rejected", (callback) => {
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
  ])("%s is rejected on save and on sending", (url) => {
    expect(checkRequestTemplates(requestOf({ url }))).toMatchObject({
      ok: false,
      errors: [{ path: "url" }],
    });
    expect(build({ url })).toMatchObject({ ok: false });
  });

  test("credentials never go to a URL from the payload", () => {
    const from = contextOf(JSON.stringify({ data: { callback: "https://evil.example/" } }));
    const built = build({ url: "{{ data.callback }}" }, from, { type: "bearer", token: "secret" });
    expect(built).toMatchObject({ ok: false, code: "url_invalid" });
    expect(JSON.stringify(built)).not.toContain("secret");
  });

  test("no value changes the origin or leaves its path segment", () => {
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
