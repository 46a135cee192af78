import { describe, expect, test } from "vitest";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { build, runId, sent } from "./testing/build.ts";

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

  test("numbers in the payload and in the body keep their digits", () => {
    const body = exact(
      '{"a":"{{ data.object.big }}","b":["{{ data.object.price }}","{{ ' +
        'data.object.huge }}","{{ data.object.zero ' +
        '}}"],"c":2.50,"d":98765432109876543210,"__proto__":"x{{ ' +
        'data.object.price }}"}',
    );
    expect(sent({ body }).body).toBe(
      '{"a":12345678901234567890123,"b":[1.10,1e400,-0],"c":2.50,"d":98765432109876543210,"__proto__":"x1.10"}',
    );
  });

  test("keys of a body aren't templates", () => {
    expect(sent({ body: { "{{ hook.name }}": "{{ hook.name }}" } }).body).toBe(
      '{"{{ hook.name }}":"Shop"}',
    );
  });

  test("no body, no content type", () => {
    expect(sent({ method: "GET" })).toMatchObject({ method: "GET", body: null });
    expect(sent({ method: "GET" }).headers).not.toHaveProperty("Content-Type");
  });

  test("every missing name is reported, wherever it is", () => {
    const missing = (at: string, missingName: string) => ({
      at,
      message: `${missingName} is not in this payload`,
      missingName,
    });
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
        missing("query.q", "data.q"),
        missing("url", "data.u"),
        missing("headers.X-A", "data.h"),
        missing("body.email", "data.a"),
        missing("body.list[0].b", "data.b"),
        missing("body.list[0].b", "data.c"),
      ],
    });
  });

  test("a value used a thousand times doesn't make an endless body", () => {
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
  ])("a small delivery doesn't become a request of megabytes: %s", (kind, headers) => {
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

  test("a large payload is sent completely, as a form too", () => {
    const large = contextOf(JSON.stringify({ data: '"'.repeat(3_000_000) }));
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    expect(build({ headers, body: { a: "{{ data }}" } }, large)).toMatchObject({ ok: true });
  });
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
