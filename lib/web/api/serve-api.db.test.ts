import { describe, expect, it } from "vitest";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { isDatabaseUnavailable } from "#lib/db/postgres/sql-state.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { errorResponse } from "./api-response.ts";

const api = withApi();

const post = (options: Parameters<typeof api.call>[2], path = "/api/v1/hooks") =>
  api.call("POST", path, { token: api.account.token, ...options });
const countHooks = () => api.db.hook.count({ where: { accountId: api.account.id } });

describe("authorization", () => {
  it.each([
    "",
    "Bearer",
    "Bearer ",
    "Basic YTpi",
    "bearer  x y",
    `Bearer ${"a".repeat(600)}`,
    "Bearer é",
    "Token x",
  ])("%j is 401, never 500", async (authorization) => {
    const response = await api.call("GET", "/api/v1/hooks", { headers: { authorization } });
    expect([response.status, response.body.code]).toEqual([401, "unauthenticated"]);
  });

  it("the case of the authentication scheme doesn't matter", async () => {
    const headers = { authorization: `bEARER ${api.account.token}` };
    expect((await api.call("GET", "/api/v1/hooks", { headers })).status).toBe(200);
  });
});

describe("bodies", () => {
  it.each([
    ["", 400],
    ["[]", 400],
    ["null", 400],
    ['"text"', 400],
    [`${"[".repeat(5000)}${"]".repeat(5000)}`, 400],
    ['{"name":"x","__proto__":{"name":"y"}}', 400],
    ['{"name":"x","constructor":{}}', 400],
    ['{"name":"x","n\\u0061me":"x"}', 400],
  ])("%s", async (text, status) => {
    const response = await post({ text });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      status,
      "application/problem+json",
    ]);
  });

  it("invalid UTF-8 and types that aren't JSON are rejected", async () => {
    const latin = new Request("http://localhost/", {
      method: "POST",
      body: Buffer.from('{"name":"\xe9"}', "latin1"),
    });
    const response = await post({
      text: '{"name":"x"}',
      headers: { "content-type": "text/plain" },
    });
    expect([response.status, response.body.code]).toEqual([415, "unsupported_media_type"]);
    expect(latin.body).not.toBeNull();
  });

  it("one over the limit is rejected, announced or not", async () => {
    const name = "x".repeat(1024 * 1024);
    expect((await post({ body: { name } })).status).toBe(413);
    expect((await post({ body: { name }, headers: { "content-length": "10" } })).status).toBe(413);
    expect((await post({ text: "{}", headers: { "content-length": "99999999" } })).status).toBe(
      413,
    );
  });

  it("every invalid field is reported, not only the first", async () => {
    const { body } = await post({
      body: { name: 5, a: 1, methods: ["X"], dedupe: [{ from: "body" }, { from: "x" }] },
    });
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { path: "name", code: "invalid_type", message: "must be text" },
        { path: "a", code: "unknown_field", message: "Unknown field", name: "a" },
        {
          path: "methods.0",
          code: "unknown_value",
          message: "must be GET, POST, PUT, PATCH, DELETE",
        },
        {
          path: "dedupe.0.path",
          code: "required",
          message: expect.stringContaining("path such as"),
        },
        {
          path: "dedupe.1.from",
          code: "invalid_value",
          message: expect.stringContaining('{"from":"content"}'),
        },
      ]),
    );
  });

  it("a query with a repeated or unknown parameter is rejected", async () => {
    for (const [query, path] of [
      ["limit=1&limit=2", "limit"],
      ["limit=1&limit=1", "limit"],
      ["limit=0", "limit"],
      ["accountId=x", "accountId"],
    ]) {
      const response = await api.call("GET", `/api/v1/hooks?${query}`, {
        token: api.account.token,
      });
      expect([response.status, response.body.code]).toEqual([400, "invalid_request"]);
      expect(response.body.errors).toMatchObject([{ path }]);
    }
  });

  it("a call without fields accepts none", async () => {
    const { id } = (await post({ body: { name: "n" } })).body;
    expect((await post({ text: "{}" }, `/api/v1/hooks/${id}/pause`)).status).toBe(200);
    expect(
      (await post({ body: { for: "ever" } }, `/api/v1/hooks/${id}/pause`)).body.errors,
    ).toEqual([{ path: "for", code: "unknown_field", message: "Unknown field", name: "for" }]);
  });
});

describe("methods and paths", () => {
  it("a method that a route doesn't have is 405 with the supported ones", async () => {
    const response = await api.call("PUT", "/api/v1/hooks", { token: api.account.token });
    expect([response.status, response.body.code, response.headers.get("allow")]).toEqual([
      405,
      "method_not_allowed",
      "GET, POST, HEAD, OPTIONS",
    ]);
  });

  it("HEAD is GET without its body", async () => {
    const response = await api.call("HEAD", "/api/v1/hooks", { token: api.account.token });
    expect([response.status, response.text, response.headers.get("content-type")]).toEqual([
      200,
      "",
      "application/json",
    ]);
    expect((await api.call("HEAD", "/api/v1/hooks")).status).toBe(401);
  });

  it.each(["/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v1/hooks/x/y/z"])(
    "%s is a problem, not a page",
    async (path) => {
      const response = await api.call("POST", path);
      expect([response.status, response.body.code, response.headers.get("cache-control")]).toEqual([
        404,
        "not_found",
        "no-store",
      ]);
    },
  );
});

describe("Idempotency-Key", () => {
  const keyed = (key: string, body: unknown, path?: string) =>
    post({ body, headers: { "idempotency-key": key } }, path);

  it("the same request again gets the first response and does nothing", async () => {
    const before = await countHooks();
    const first = await keyed("k-1", { name: "once" });
    const again = await keyed("k-1", { name: "once" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect([
      first.headers.get("idempotency-replayed"),
      again.headers.get("idempotency-replayed"),
    ]).toEqual([null, "true"]);
    expect(await countHooks()).toBe(before + 1);
  });

  it("another body, path, or method with the key is 409", async () => {
    const { body } = await keyed("k-2", { name: "a" });
    expect((await keyed("k-2", { name: "b" })).body.code).toBe("idempotency_conflict");
    const path = `/api/v1/hooks/${body.id}`;
    expect((await keyed("k-2b", {}, `${path}/pause`)).status).toBe(200);
    const headers = { "idempotency-key": "k-2b" };
    for (const response of [
      await keyed("k-2b", {}, `${path}/resume`),
      await api.call("PATCH", path, { token: api.account.token, body: {}, headers }),
      await api.call("DELETE", path, { token: api.account.token, headers }),
    ]) {
      expect([response.status, response.body.code]).toEqual([409, "idempotency_conflict"]);
    }
    expect((await api.call("GET", path, { token: api.account.token })).body.status).toBe("paused");
  });

  it("one of many concurrent requests runs; the others get its response, or are told to wait", async () => {
    const before = await countHooks();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => keyed("k-3", { name: "storm" })),
    );
    expect(await countHooks()).toBe(before + 1);
    for (const { status, headers } of responses) {
      expect([201, 409]).toContain(status);
      if (status === 409) expect(headers.get("retry-after")).toBe("1");
    }
  });

  it("keys of one account mean nothing in another", async () => {
    const other = await api.createAccount("other");
    await keyed("k-4", { name: "mine" });
    const response = await api.call("POST", "/api/v1/hooks", {
      token: other.token,
      body: { name: "theirs" },
      headers: { "idempotency-key": "k-4" },
    });
    expect([response.status, response.body.name]).toEqual([201, "theirs"]);
  });

  it("a response is only for tokens with the same scopes: it may contain what others must not see", async () => {
    await keyed("k-4b", { name: "secret name" });
    const scopes = ["hooks:write"] as const;
    const low = { name: "low", userId: null, scopes, expiresAt: null };
    const { token } = await createApiToken(api.db, api.account.id, low);
    const headers = { "idempotency-key": "k-4b" };
    const response = await api.call("POST", "/api/v1/hooks", {
      token,
      body: { name: "secret name" },
      headers,
    });
    expect([response.status, response.body.code]).toEqual([409, "idempotency_conflict"]);
  });

  it("a rejection because of the state is stored too; an invalid request isn't", async () => {
    expect((await keyed("k-5", { name: 5 })).status).toBe(400);
    expect((await keyed("k-5", { name: "now valid" })).status).toBe(201);
    expect((await keyed("k-6", {}, "/api/v1/runs/x/cancel")).status).toBe(404);
    expect(
      (await keyed("k-6", {}, "/api/v1/runs/x/cancel")).headers.get("idempotency-replayed"),
    ).toBe("true");
  });

  it("a key is valid for 24 hours, and for a minute if its first request died", async () => {
    const age = (key: string, interval: string) =>
      api.db
        .$executeRaw`update idempotency_keys set created_at = now() - ${interval}::interval where key = ${key}`;
    const first = await keyed("k-7", { name: "old" });
    await age("k-7", "25 hours");
    expect((await keyed("k-7", { name: "new" })).body.id).not.toBe(first.body.id);

    await keyed("k-8", { name: "died" });
    await api.db
      .$executeRaw`update idempotency_keys set status = null, body = null where key = 'k-8'`;
    expect((await keyed("k-8", { name: "died" })).status).toBe(409);
    await age("k-8", "2 minutes");
    expect((await keyed("k-8", { name: "other" })).status).toBe(409);
    expect((await keyed("k-8", { name: "died" })).status).toBe(201);
  });

  it.each(["a b", "x".repeat(256), "é"])("%s is rejected", async (key) => {
    expect((await keyed(key, { name: "n" })).status).toBe(400);
  });
});

it("responses are never cached by anyone, and browsers must not guess their type", async () => {
  for (const token of [api.account.token, "unknown"]) {
    const { headers } = await api.call("GET", "/api/v1/hooks", { token });
    expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([
      "no-store",
      "nosniff",
    ]);
  }
});

describe("internal errors", () => {
  it.each([
    ["at its port", "postgresql://postgres@127.0.0.1:1/none"],
    ["by its socket", "postgresql://postgres@127.0.0.1:1/none?host=/nowhere"],
  ])("a database that can't be reached %s is 503 with Retry-After", async (_, url) => {
    const away = createDatabase({ url, poolSize: 1, applicationName: "test" });
    const error = await away.$queryRaw`select 1`.catch((reason: unknown) => reason);
    const byModel = await away.hook.findFirst().catch((reason: unknown) => reason);
    await away.$disconnect();
    expect([isDatabaseUnavailable(error), isDatabaseUnavailable(byModel)]).toEqual([true, true]);
    const response = errorResponse(error, { method: "GET", path: "/" });
    expect([response.status, response.headers]).toEqual([503, { "retry-after": "2" }]);
  });

  it("a statement that takes too long is 503, an invalid one is 500 without details", async () => {
    const slow = createDatabase({
      url: api.url,
      poolSize: 1,
      applicationName: "test",
      statementTimeoutMs: 50,
    });
    const timeout = await slow.$queryRaw`select pg_sleep(5)`.catch((reason: unknown) => reason);
    await slow.$disconnect();
    const wrong = await api.db.$queryRaw`select 'hunter2'::uuid`.catch((reason: unknown) => reason);
    expect([isDatabaseUnavailable(timeout), isDatabaseUnavailable(wrong)]).toEqual([true, false]);
    const response = errorResponse(wrong, { method: "GET", path: "/" });
    expect(response.status).toBe(500);
    expect(response.text).not.toContain("hunter2");
  });
});
