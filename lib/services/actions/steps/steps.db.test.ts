import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { serveHttp, type TestServer } from "#lib/net/testing/test-servers.ts";
import { saveDraft } from "#lib/services/actions/write-actions.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { previewStep } from "./preview-step.ts";
import { stepDraftSchema } from "./step-draft.ts";
import { runStep } from "./try-steps.ts";

const api = withApi();
let receiver: TestServer;
let hookId: string;
let deliveryId: string;
const calls: IncomingMessage[] = [];

beforeAll(async () => {
  receiver = await serveHttp((request, response) => {
    calls.push(request);
    response.setHeader("content-type", "application/json");
    response.end('{"contact":{"id":12345678901234567890123}}');
  });
  hookId = (await api.send("POST", "/hooks", { name: "n" })).body.id;
  const text = '{"id":"evt_1","data":{"items":[{"sku":"a"},{"sku":"b"}],"total":1.10}}';
  deliveryId = await storeDelivery(api.db, api.account.id, hookId, { text });
});
afterAll(() => receiver[Symbol.asyncDispose]());

const url = (path: string) => `http://127.0.0.1:${receiver.port}${path}`;
const post = (key: string, path: string, body: object) => ({
  key,
  kind: "call",
  request: { method: "POST", url: url(path), body },
});

function ask(step: object, more: { earlier?: readonly object[]; itemIndex?: number } = {}) {
  const { earlier = [], itemIndex = 0 } = more;
  return stepDraftSchema.parse({
    filter: null,
    step,
    formerKey: null,
    itemIndex,
    earlier: earlier.map((one) => ({ formerKey: null, ...one })),
  });
}

const place = () => ({ hookId, actionId: null, deliveryId });

it("a step that is run is called once, records no run, and its response is there for the next, digit by digit", async () => {
  const { context, account } = api;
  const find = ask(post("find", "/find", { id: "{{ id }}" }));
  const before = calls.length;
  const run = await runStep(context, account.id, place(), find);
  expect(calls.slice(before).map((call) => call.url)).toEqual(["/find"]);
  expect(await readRuns(api.db)).toEqual([]);
  expect(run.result.tree.children.map(({ path }) => path)).toContain("steps.find.body");

  const earlier = [
    { key: "find", kind: "call", given: JSON.parse(run.resultJson.replace(/(\d{20,})/, '"$1"')) },
    {
      key: "shape",
      kind: "transform",
      code: "export default (delivery, steps) => ({ id: steps.find.body.contact.id, total: delivery.payload.data.total })",
    },
  ];
  const preview = await previewStep(
    context,
    account.id,
    place(),
    ask(
      post("send", "/send/{{ steps.find.body.contact.id }}", { all: "{{ steps.shape.value }}" }),
      {
        earlier,
      },
    ),
  );
  expect(preview).toMatchObject({ code: null, errors: [], verdict: { matches: true }, when: null });
  expect(preview.request).toMatchObject({
    url: url("/send/12345678901234567890123"),
    body: '{"all":{"id":"12345678901234567890123","total":1.1}}',
  });
  expect(calls.length).toBe(before + 1);
});

it("a step for each item of a list shows the chosen one, and what isn't a list is said at its field", async () => {
  const { context, account } = api;
  const each = (path: string) => ({
    ...post("pick", "/pick", { sku: "{{ item.sku }}", at: "{{ index }}" }),
    forEach: { path },
  });
  const preview = (path: string) =>
    previewStep(context, account.id, place(), ask(each(path), { itemIndex: 1 }));
  expect(await preview("data.items")).toMatchObject({
    items: { count: 2, index: 1 },
    request: { body: '{"sku":"b","at":1}' },
  });
  expect(await preview("data.total")).toMatchObject({
    code: "list_invalid",
    errors: [{ path: "forEach.path", message: "data.total is not a list" }],
  });
});

it("a condition, a transform's error, a delay, and an event are shown before anything is done", async () => {
  const { context, account } = api;
  const preview = (step: object) => previewStep(context, account.id, place(), ask(step));
  const when = { all: [{ path: "id", op: "equals", value: "other" }] };
  expect(await preview({ ...post("a", "/", {}), when })).toMatchObject({
    when: { matches: false, because: expect.stringContaining("id") },
  });
  const code = "export default (delivery) =>\n  delivery.nothing.id";
  expect(await preview({ key: "t", kind: "transform", code })).toMatchObject({
    code: "transform_threw",
    errors: [{ path: "code", line: 2, message: expect.stringContaining("TypeError") }],
  });
  expect(await preview({ key: "d", kind: "delay", ms: 90_000 })).toMatchObject({ value: "90000" });
  const event = { key: "p", kind: "publish", type: "order.paid", data: { id: "{{ id }}" } };
  expect(await preview(event)).toMatchObject({
    code: null,
    value: '{"type":"order.paid","data":{"id":"evt_1"}}',
  });
  expect(await preview({ ...event, type: "not a type!" })).toMatchObject({ code: "event_invalid" });
  const schema = { type: "object", required: ["total"] };
  const entry = { schema, onMismatch: "reject" };
  await api.send("PUT", "/event-types/order.paid", entry);
  expect(await preview(event)).toMatchObject({
    code: "schema_mismatch",
    errors: [{ path: "data", message: expect.stringContaining("total") }],
    value: '{"type":"order.paid","data":{"id":"evt_1"}}',
  });
  await api.send("PUT", "/event-types/order.paid", { ...entry, onMismatch: "warn" });
  expect(await preview(event)).toMatchObject({ code: null, errors: [] });
});

it("the API previews one step of a saved action, with transforms before it computed", async () => {
  const code = "export default (delivery) => delivery.payload.data.items.length";
  const steps = [
    { key: "count", kind: "transform", code },
    { ...post("send", "/send", { count: "{{ steps.count.value }}" }), onFailure: "continue" },
    post("last", "/last", { id: "{{ steps.send.body.id }}" }),
  ];
  const saved = await api.send("POST", `/hooks/${hookId}/actions`, { name: "a", steps });
  const preview = async (step: string) =>
    (await api.send("POST", `/actions/${saved.body.id}/preview`, { deliveryId, step })).body;
  expect(await preview("send")).toMatchObject({ ok: true, request: { body: '{"count":2}' } });
  expect(await preview("count")).toEqual({ ok: true, value: "2" });
  expect(await preview("last")).toMatchObject({
    ok: false,
    code: "mapping_failed",
    errors: [{ path: "steps.2.request.body.id", name: "steps.send.body.id" }],
  });
  expect(await preview("nothing")).toMatchObject({ errors: [{ path: "step" }] });
});

it("stored credentials follow a step that is renamed or copied, and are gone if neither says so", async () => {
  const auth = { type: "bearer", token: "secret_of_the_receiver" };
  const call = (key: string, more: object = {}) => ({
    key,
    kind: "call" as const,
    request: { method: "GET" as const, url: url("/x"), headers: {}, query: {}, ...more },
  });
  const saved = await api.send("POST", `/hooks/${hookId}/actions`, {
    name: "a",
    steps: [call("first", { auth }), call("second")],
  });
  const id = String(saved.body.id);
  const save = async (keys: readonly string[], formerKeys?: Record<string, string>) => {
    const steps = keys.map((key) => call(key));
    if (formerKeys === undefined) await api.send("PATCH", `/actions/${id}`, { steps });
    else {
      const context = testContext(api.db, api.account.id);
      const { egressAllow } = api.context.env;
      const from = { formerKeys, draftSavedAtMs: null };
      const draft = { hookId, actionId: id, ...from, name: "a", steps };
      await saveDraft({ ...context, ...api.context, env: { ...context.env, egressAllow } }, draft);
    }
    const { body } = await api.send("GET", `/actions/${id}`);
    const shown = body.steps.map((step: { key: string; request: { auth: unknown } }) => [
      step.key,
      step.request.auth,
    ]);
    return Object.fromEntries(shown);
  };
  const kept = { type: "bearer", hint: "iver" };
  expect(await save(["found", "copy"], { found: "first", copy: "first" })).toEqual({
    found: kept,
    copy: kept,
  });
  expect(await save(["other", "found"])).toEqual({ other: null, found: kept });
  expect(await save(["other", "again"])).toEqual({ other: null, again: null });
});
