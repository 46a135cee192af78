import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { build, context, sent } from "./testing/build.ts";

describe("headers", () => {
  test("auth becomes the right header", () => {
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
  ])("%j can't be set, even if it is in the database", (name) => {
    expect(build({ headers: { [name]: "x" } })).toMatchObject({
      ok: false,
      code: "header_invalid",
    });
  });

  test("no value gets CR, LF, NUL or a character beyond Latin-1 into a header", {
    tags: "variant",
  }, () => {
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
      errors: [{ at: "headers.X-A", message: "a header can't contain the character U+20AC" }],
    });
  });
});

test("every control character is rejected in a header, whatever its source", () => {
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
