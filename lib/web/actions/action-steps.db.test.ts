import { beforeAll, expect, it } from "vitest";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;
let hookId: string;
beforeAll(async () => {
  hookId = (await send("POST", "/hooks", { name: "Orders" })).body.id;
});

const auth = { type: "bearer", token: "sk_live_0123456789abcdef" };
const call = (key: string, request: object = {}, rest: object = {}) => ({
  key,
  kind: "call",
  request: { method: "POST", url: `https://${key}.example.com/v1`, ...request },
  ...rest,
});
const create = (steps: unknown, more: object = {}) =>
  send("POST", `/hooks/${hookId}/actions`, { name: "Steps", steps, ...more });

it("steps are stored and returned, and their credentials are sealed for each", async () => {
  const branch = [call("tell", { auth: { ...auth, token: "other_token_of_tell" } })];
  const steps = [
    call("find", { auth }, { onFailure: { steps: branch } }),
    { key: "wait", kind: "delay", ms: 60_000 },
    { key: "out", kind: "publish", type: "order.found", data: { id: "{{ steps.find.body.id }}" } },
  ];
  const made = await create(steps);
  expect(made.status).toBe(201);
  expect(made.text).not.toMatch(/sk_live_0123456789abcdef|other_token_of_tell/);
  expect(made.body).toMatchObject({
    request: null,
    steps: [
      {
        key: "find",
        when: null,
        request: { auth: { type: "bearer", hint: expect.any(String) } },
        onFailure: { steps: [{ key: "tell", request: { auth: { type: "bearer" } } }] },
      },
      { key: "wait", ms: 60_000, onFailure: "stop" },
      { key: "out", type: "order.found", data: { id: "{{ steps.find.body.id }}" } },
    ],
  });
  expect((await send("GET", `/actions/${made.body.id}`)).body).toEqual(made.body);
  const rows = await api.db
    .$queryRaw`select steps::text from actions where id = ${made.body.id}::uuid`;
  expect(JSON.stringify(rows)).not.toMatch(/sk_live|other_token/);
});

it("omitted credentials stay for the same origin only, also between one call and steps", async () => {
  const { id } = (await create(undefined, { request: { ...call("call").request, auth } })).body;
  const grown = await send("PATCH", `/actions/${id}`, { steps: [call("call"), call("next")] });
  expect(grown.body.steps.map((step: { request: { auth: unknown } }) => step.request.auth)).toEqual(
    [{ type: "bearer", hint: expect.any(String) }, null],
  );
  const moved = await send("PATCH", `/actions/${id}`, {
    steps: [call("call", { url: "https://evil.example/v1" }), call("next")],
  });
  expect([moved.status, moved.body.errors[0].path]).toEqual([400, "steps.0.request.auth"]);
  const shrunk = await send("PATCH", `/actions/${id}`, { steps: [call("call")] });
  expect(shrunk.body).toMatchObject({ steps: null, request: { auth: { type: "bearer" } } });
});

it.each([
  ["neither", undefined, {}, "request"],
  ["both", [call("a")], { request: call("a").request }, "steps"],
  ["no step", [], {}, "steps"],
  ["the same key twice", [call("a"), call("a")], {}, "steps.1.key"],
  [
    "a key in a branch",
    [call("a", {}, { onFailure: { steps: [call("a")] } })],
    {},
    "steps.0.onFailure.steps.0.key",
  ],
  ["too many", Array.from({ length: 21 }, (_, index) => call(`s${index}`)), {}, "steps"],
  ["an unknown kind", [{ key: "a", kind: "mail" }], {}, "steps.0.kind"],
  ["an invalid template", [call("a", { body: "{{ id" }), call("b")], {}, "steps.0.request.body"],
  [
    "a private address",
    [call("a", { url: "http://10.0.0.1/" }), call("b")],
    {},
    "steps.0.request.url",
  ],
  [
    "a URL of this server in a branch",
    [
      call(
        "a",
        {},
        { onFailure: { steps: [call("b", { url: "https://hooks.example.test/catch/a/b" })] } },
      ),
    ],
    {},
    "steps.0.onFailure.steps.0.request.url",
  ],
  [
    "a credential in a header",
    [call("a", { headers: { "x-api-key": "k" } }), call("b")],
    {},
    "steps.0.request.headers.x-api-key",
  ],
  [
    "a transform with a mistake",
    [call("a"), { key: "b", kind: "transform", code: "export default () => {" }],
    {},
    "steps.1.code",
  ],
  ["no time to wait", [{ key: "a", kind: "delay" }], {}, "steps.0"],
  ["an invalid time", [{ key: "a", kind: "delay", until: "{{ x" }], {}, "steps.0.until"],
  ["too short a wait", [{ key: "a", kind: "delay", ms: 1 }], {}, "steps.0.ms"],
  [
    "a type that no event can have",
    [call("a"), { key: "b", kind: "publish", type: "BAD TYPE" }],
    {},
    "steps.1.type",
  ],
  [
    "a recipient that can't be one",
    [call("a"), { key: "b", kind: "publish", type: "{{ type }}", recipient: "a\u0000b" }],
    {},
    "steps.1.recipient",
  ],
  ["an unknown name", [call("a", {}, { forEach: { path: "nope.x" } })], {}, "steps.0.forEach.path"],
  [
    "a mistake in a branch",
    [call("a", {}, { onFailure: { steps: [{ key: "b", kind: "delay", ms: 1 }] } })],
    {},
    "steps.0.onFailure.steps.0.ms",
  ],
])("%s is rejected at its field", async (_name, steps, more, path) => {
  const response = await create(steps, more);
  expect(response.status).toBe(400);
  expect(response.body.errors.map((error: { path: string }) => error.path)).toContain(path);
});

it("the preview of an action with several steps asks for one of them", async () => {
  const { id } = (await create([call("a"), call("b")])).body;
  const response = await send("POST", `/actions/${id}/preview`, { payload: {} });
  expect([response.status, response.body.detail]).toEqual([
    409,
    expect.stringMatching(/several steps/),
  ]);
});

it("a backtest with a response for a call that the draft doesn't have is rejected", async () => {
  const { id } = (await create([call("a"), { key: "b", kind: "delay", ms: 60_000 }])).body;
  const start = (keys: readonly string[], draft: object = {}) =>
    send("POST", `/actions/${id}/backtests`, {
      draft,
      responses: Object.fromEntries(keys.map((key) => [key, { status: 200 }])),
    });
  const wrong = await start(["a", "b", "typo"]);
  expect(wrong.status).toBe(400);
  expect(wrong.body.errors).toEqual([
    expect.objectContaining({ path: "responses.b", code: "not_found" }),
    expect.objectContaining({ path: "responses.typo", code: "not_found" }),
  ]);
  // It is accepted, and there is no delivery to try.
  expect((await start(["a"])).body.detail).toMatch(/deliver/);
  expect((await start(["a"], { steps: [call("c"), call("d")] })).status).toBe(400);
  const { request } = call("only");
  const draft = { name: "New", request };
  const path = `/hooks/${hookId}/backtests`;
  expect((await send("POST", path, { draft, responses: { a: { status: 200 } } })).status).toBe(400);
});
