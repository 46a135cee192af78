import { describe, expect, test } from "vitest";
import { checkout, contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { actionInputSchema } from "#lib/schema/act/action.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import { requireSendable } from "./checks/action-rules.ts";
import { build, type RequestFields, sent } from "./testing/build.ts";

describe("a forwarded delivery", () => {
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
  const from = Object.assign(contextOf(checkout), { raw });
  const forward = { method: true, query: true, headers: "all" } as const;
  const headersOf = (fields: RequestFields, auth: RequestAuth | null = null) => {
    const built = build(fields, from, auth);
    if (!built.ok) throw new Error(JSON.stringify(built.errors));
    return built.request.headers.filter(
      ([name]) => !["Idempotency-Key", "Catchment-Hops"].includes(name),
    );
  };

  test("keeps order and case of its headers, without those of the connection and credentials", () => {
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

  test("by name: a stored token, and otherwise only headers that describe the body", () => {
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

  test("has its method and query, without redacted values", () => {
    expect(sent({ forward, query: { own: "{{ id }}" } }, from)).toMatchObject({
      method: "PUT",
      url: "https://api.example.com/v1?own=evt_1&a=1&c",
      body: "<a/>",
    });
  });

  test("rejects a header that can't be forwarded, and a second body", () => {
    const parse = (fields: object) =>
      actionInputSchema.shape.request.safeParse({ method: "POST", url: "https://h/", ...fields });
    for (const name of ["Host", "cookie", "Authorization", "Proxy-Foo", "transfer-encoding"])
      expect([name, parse({ forward: { headers: [name] } }).success]).toEqual([name, false]);
    const unstored = parse({ forward: { headers: ["x-topic", "X-Api-Key"] } });
    expect(unstored.success).toBe(true);
    expect(() => requireSendable(unstored.data ?? expect.fail(), [])).toThrow(
      "request.forward.headers.1: can't be forwarded",
    );
    expect(parse({ forward: {}, body: { a: 1 } }).success).toBe(false);
    expect(parse({ forward: {} }).data?.forward).toEqual(forward);
  });
});
