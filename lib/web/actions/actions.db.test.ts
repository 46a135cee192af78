import { beforeAll, describe, expect, it } from "vitest";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;
let hookId: string;
beforeAll(async () => {
  hookId = (await send("POST", "/hooks", { name: "Orders" })).body.id;
});

const sendText = (method: string, path: string, text: string) =>
  api.call(method, `/api/v1${path}`, { token: api.account.token, text });
const request = { method: "POST", url: "https://api.example.com/v1" };
const create = async (body: Record<string, unknown> = {}) => {
  const response = await send("POST", `/hooks/${hookId}/actions`, {
    name: "Call",
    request,
    ...body,
  });
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
};

describe("POST /hooks/{id}/actions", () => {
  it("a name and a request are enough", async () => {
    const action = await create();
    expect(action).toMatchObject({
      hookId,
      enabled: true,
      filter: null,
      request: { ...request, headers: {}, query: {}, body: null, bodyText: null, auth: null },
      timeoutMs: 15_000,
      retry: { maxAttempts: 10, initialDelayMs: 5_000 },
    });
    expect((await send("GET", `/actions/${action.id}`)).body).toEqual(action);
  });

  it("each is added at the end, and lists are newest first", async () => {
    const first = await create();
    const second = await create();
    expect(second.position).toBe(first.position + 1);
    const { body } = await send("GET", `/hooks/${hookId}/actions?limit=2`);
    expect(body.data.map((action: { id: string }) => action.id)).toEqual([second.id, first.id]);
    expect(
      (await send("GET", `/hooks/${hookId}/actions?limit=1&cursor=${body.nextCursor}`)).body.data,
    ).toHaveLength(1);
  });

  it("numbers of a body keep every digit", async () => {
    const body = '{"big":12345678901234567890123,"price":1.10,"tiny":1e-7,"zero":-0}';
    const text = `{"name":"x","request":{"method":"POST","url":"https://api.example.com","body":${body}}}`;
    const made = await sendText("POST", `/hooks/${hookId}/actions`, text);
    expect(made.text).toContain(body);
    const { id } = made.body;
    await send("PATCH", `/actions/${id}`, { name: "renamed" });
    expect((await send("GET", `/actions/${id}`)).text).toContain(body);
  });

  it("credentials are sealed and shown as a hint", async () => {
    const auth = { type: "bearer", token: "sk_live_0123456789abcdef" };
    const response = await send("POST", `/hooks/${hookId}/actions`, {
      name: "x",
      request: { ...request, auth },
    });
    expect(response.body.request.auth).toEqual({ type: "bearer", hint: "cdef" });
    expect(response.text).not.toContain("sk_live");
    const row = await api.db.action.findUniqueOrThrow({ where: { id: response.body.id } });
    expect(JSON.stringify(row.request)).not.toContain("sk_live");
    expect(Buffer.from(row.authCiphertext ?? []).includes("sk_live")).toBe(false);
    expect(row.authCiphertext).not.toBeNull();
  });

  it("an invalid template is rejected with path, line, and column", async () => {
    const response = await send("POST", `/hooks/${hookId}/actions`, {
      name: "x",
      request: { ...request, body: { email: "a\n b {{ data.email | nope }}" } },
    });
    expect([response.status, response.body.code]).toEqual([400, "template_invalid"]);
    expect(response.body.errors).toMatchObject([
      { path: "request.body.email", line: 2, message: "there is no filter nope" },
    ]);
    expect(response.body.errors[0].column).toBeGreaterThan(1);
  });

  it.each([
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/",
    "http://0x7f.1:22/",
    "http://[::ffff:10.0.0.1]/{{ id }}",
    "https://example.com:6379/",
  ])("%s is rejected on save, and the response names the setting", async (url) => {
    const response = await send("POST", `/hooks/${hookId}/actions`, {
      name: "x",
      request: { method: "POST", url },
    });
    expect([response.status, response.body.code]).toEqual([400, "invalid_request"]);
    expect(response.body.errors[0]).toMatchObject({ path: "request.url" });
    expect(response.body.detail).toContain("CATCHMENT_EGRESS_ALLOW");
  });

  it.each([
    "https://hooks.example.test/catch/acme/orders",
    "https://HOOKS.example.test./catch/{{ id }}",
    "http://127.0.0.1:3000/catch/acme/orders",
  ])(
    "%s of this server is rejected on save, because every call would fail as a loop",
    async (url) => {
      const response = await send("POST", `/hooks/${hookId}/actions`, {
        name: "x",
        request: { method: "POST", url },
      });
      expect([response.status, response.body.errors]).toMatchObject([
        400,
        [{ path: "request.url", code: "not_allowed" }],
      ]);
      expect(response.body.detail).toContain("points to this server");
      // The same host at another port is another server.
      const other = { method: "POST", url: "https://hooks.example.test:8443/in" };
      expect(await create({ request: other })).toMatchObject({ request: { url: other.url } });
    },
  );

  it("URLs that the operator allows can be saved", async () => {
    expect(
      (await create({ request: { method: "POST", url: "http://127.0.0.1:4000/{{ id }}" } })).id,
    ).toBeDefined();
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["no request", { request: undefined }, "request"],
    ["an unknown field in the request", { request: { ...request, verb: "x" } }, "request.verb"],
    [
      "a reserved header",
      { request: { ...request, headers: { Host: "x" } } },
      "request.headers.Host",
    ],
    [
      "a host by template",
      { request: { method: "POST", url: "https://{{ id }}.example.com/" } },
      "request.url",
    ],
    ["another scheme", { request: { method: "POST", url: "file:///etc/passwd" } }, "request.url"],
    [
      "user and password in the URL",
      { request: { method: "POST", url: "https://u:p@example.com/" } },
      "request.url",
    ],
    ["a timeout of an hour", { timeoutMs: 3_600_000 }, "timeoutMs"],
    [
      "a filter of no known kind",
      { filter: { all: [{ path: "type", op: "regex", value: "x" }] } },
      "filter.all.0.op",
    ],
  ])("%s is refused with its path", async (_, body, path) => {
    const response = await send("POST", `/hooks/${hookId}/actions`, {
      name: "x",
      request,
      ...body,
    });
    expect(response.status).toBe(400);
    expect(response.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });
});

describe("PATCH /actions/{id}", () => {
  const auth = { type: "bearer", token: "sk_live_0123456789abcdef" };

  it("changes only the given fields", async () => {
    const action = await create({ filter: { all: [{ path: "type", op: "equals", value: "a" }] } });
    const { body } = await send("PATCH", `/actions/${action.id}`, {
      enabled: false,
      timeoutMs: 500,
    });
    expect(body).toMatchObject({
      enabled: false,
      timeoutMs: 500,
      filter: action.filter,
      request: action.request,
    });
    expect((await send("PATCH", `/actions/${action.id}`, { filter: null })).body.filter).toBeNull();
  });

  it("omitted credentials stay, and null removes them", async () => {
    const action = await create({ request: { ...request, auth } });
    const kept = await send("PATCH", `/actions/${action.id}`, {
      request: { ...request, url: `${request.url}/other` },
    });
    expect(kept.body.request).toMatchObject({
      url: `${request.url}/other`,
      auth: { type: "bearer" },
    });
    expect(
      (await send("PATCH", `/actions/${action.id}`, { request: { ...request, auth: null } })).body
        .request.auth,
    ).toBeNull();
  });

  it("credentials never follow the request to another origin", async () => {
    const action = await create({ request: { ...request, auth } });
    for (const url of [
      "https://evil.example.com/v1",
      "http://api.example.com/v1",
      "https://api.example.com:8443/v1",
      "{{ data.url }}",
    ]) {
      const response = await send("PATCH", `/actions/${action.id}`, {
        request: { ...request, url },
      });
      expect([url, response.status, response.body.errors[0].path]).toEqual([
        url,
        400,
        "request.auth",
      ]);
    }
    const changed = { ...request, url: "https://other.example.com", auth };
    expect((await send("PATCH", `/actions/${action.id}`, { request: changed })).status).toBe(200);
  });

  it("a URL that isn't allowed is rejected here too", async () => {
    const { id } = await create();
    const response = await send("PATCH", `/actions/${id}`, {
      request: { method: "POST", url: "http://10.0.0.1/" },
    });
    expect(response.status).toBe(400);
    expect((await send("GET", `/actions/${id}`)).body.request.url).toBe(request.url);
  });

  it("a deleted action is gone, and its hook's list is without it", async () => {
    const { id } = await create();
    expect((await send("DELETE", `/actions/${id}`)).status).toBe(204);
    expect((await send("GET", `/actions/${id}`)).status).toBe(404);
    expect((await send("DELETE", `/actions/${id}`)).status).toBe(404);
    expect((await send("GET", `/hooks/${hookId}/actions?limit=200`)).text).not.toContain(id);
  });
});

it("a deleted action's open runs are canceled, and its history stays", async () => {
  const hook = (await send("POST", "/hooks", { name: "n" })).body.id;
  const [gone, kept] = await Promise.all(
    ["gone", "kept"].map(
      async (name) => (await send("POST", `/hooks/${hook}/actions`, { name, request })).body.id,
    ),
  );
  const deliveryId = await storeDelivery(api.db, api.account.id, hook);
  await send("DELETE", `/actions/${gone}`);
  const { data } = (await send("GET", `/runs?deliveryId=${deliveryId}`)).body;
  const byAction = new Map(data.map((run: { actionId: string }) => [run.actionId, run]));
  expect(byAction.get(gone)).toMatchObject({
    status: "cancelled",
    reason: "action_gone: The action was deleted.",
    finishedAt: expect.any(String),
  });
  expect(byAction.get(kept)).toMatchObject({ status: "queued", finishedAt: null });
});

describe("a credential in the request", () => {
  const key = "9f86d081884c7d659a2feaa0c55ad015";

  it("is rejected with its path and a hint to use auth, on create and on change", async () => {
    const withKey = { ...request, headers: { "X-Api-Key": key } };
    const made = await send("POST", `/hooks/${hookId}/actions`, { name: "Call", request: withKey });
    expect([made.status, made.body.errors[0].path]).toEqual([400, "request.headers.X-Api-Key"]);
    expect(made.body.errors[0].message).toContain("request.auth");
    const action = await create();
    expect((await send("PATCH", `/actions/${action.id}`, { request: withKey })).status).toBe(400);
  });

  it("stays in an existing action, which can be renamed; changing its request applies the rule", async () => {
    const action = await create();
    const headers = { "X-Api-Key": key };
    await api.db.$executeRaw`
      update actions set request = ${JSON.stringify({ ...request, headers, query: {}, body: null, bodyText: null })}::json
      where id = ${action.id}::uuid`;
    const renamed = await send("PATCH", `/actions/${action.id}`, { name: "Renamed" });
    expect(renamed.status).toBe(200);
    expect(renamed.body.request.headers).toEqual(headers);
    const { body: preview } = await send("POST", `/actions/${action.id}/preview`, { payload: {} });
    expect(preview.ok).toBe(true);
    const edited = await send("PATCH", `/actions/${action.id}`, {
      request: { ...request, headers },
    });
    expect(edited.status).toBe(400);
  });

  it.each(["query", "body"])("belongs in auth of type %s, and is shown nowhere", async (type) => {
    const auth = { type, name: "api_key", value: key };
    const action = await create({ request: { ...request, body: { a: "1" }, auth } });
    expect(action.request.auth).toEqual({ type, name: "api_key", hint: "d015" });
    const { text } = await send("POST", `/actions/${action.id}/preview`, { payload: {} });
    expect(text).toContain("api_key");
    expect(text).toContain("[redacted]");
    expect(text).not.toContain(key);
  });
});
