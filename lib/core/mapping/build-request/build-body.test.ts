import { describe, expect, test } from "vitest";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { build, context, sent } from "./testing/build.ts";

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

describe("an API key in the query or the body", () => {
  test("is sent as is, encoded for its place, and never parsed as a template", () => {
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
