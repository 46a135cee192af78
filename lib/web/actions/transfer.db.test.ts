import { beforeAll, describe, expect, it } from "vitest";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;
let hookId: string;
let otherHookId: string;
beforeAll(async () => {
  hookId = (await api.createHook()).id;
  otherHookId = (await api.createHook({ name: "Other" })).id;
});

const secret = "sk_live_0123456789abcdef";
const url = "https://api.example.com/v1";
const auth = { type: "bearer", token: secret };
const steps = [
  { key: "pause", kind: "delay", ms: 1_000 },
  { key: "tell", kind: "call", request: { method: "POST", url, auth, body: { n: "{{ id }}" } } },
];
const filter = { all: [{ path: "type", op: "equals", value: "paid" }] };
const duplicate = (id: string, body: object) => send("POST", `/actions/${id}/duplicate`, body);
const exported = async (id: string) => (await send("GET", `/actions/${id}/export`)).body;
const importInto = (id: string, body: unknown) => send("POST", `/hooks/${id}/actions/import`, body);

describe("a duplicate", () => {
  it("does the same with the same credentials, and is disabled", async () => {
    const request = { method: "POST", url, auth };
    const id = await api.createAction(hookId, { name: "To the CRM", filter, request });
    const { status, body } = await duplicate(id, {});
    expect([status, body]).toMatchObject([
      201,
      { hookId, name: "To the CRM (copy)", enabled: false, version: 1, filter },
    ]);
    expect(body.request).toMatchObject({ url, auth: { type: "bearer", hint: "cdef" } });
    const row = await api.db.action.findUniqueOrThrow({ where: { id: body.id } });
    expect(Buffer.from(row.authCiphertext ?? []).includes(secret)).toBe(false);
  });

  it("can be of another hook of the account, with another name, and with steps", async () => {
    const id = await api.createAction(hookId, { request: undefined, steps });
    const { body } = await duplicate(id, { hookId: otherHookId, name: "There" });
    expect(body).toMatchObject({ hookId: otherHookId, name: "There", request: null });
    expect(body.steps[1].request.auth).toEqual({ type: "bearer", hint: "cdef" });
  });

  it("of a long name keeps within the limit", async () => {
    const id = await api.createAction(hookId, { name: "n".repeat(200) });
    expect((await duplicate(id, {})).body.name).toMatch(/^n{193} \(copy\)$/);
  });

  it("never goes to a hook of another account", async () => {
    const id = await api.createAction(hookId);
    const otherAccount = await api.createAccount("duplicates");
    const theirs = (await api.createHook({}, otherAccount.token)).id;
    expect((await duplicate(id, { hookId: theirs })).status).toBe(404);
    expect((await duplicate(id, { hookId: "nonsense" })).status).toBe(404);
  });
});

describe("an exported action", () => {
  it("has no secrets, and its import says which credentials must be entered", async () => {
    const id = await api.createAction(hookId, { request: undefined, steps, filter });
    const document = await exported(id);
    expect(JSON.stringify(document)).not.toContain("cdef");
    expect(document).toMatchObject({
      format: "catchment.action/1",
      credentials: { tell: { type: "bearer" } },
    });
    const { status, body } = await importInto(otherHookId, document);
    expect([status, body]).toMatchObject([
      201,
      {
        hookId: otherHookId,
        enabled: false,
        missingCredentials: ["tell"],
        missingDestinations: [],
      },
    ]);
    expect({ ...(await exported(body.id)), credentials: {} }).toEqual({
      ...document,
      credentials: {},
    });
  });

  it("keeps every digit of its numbers", async () => {
    const text = `{"format":"catchment.action/1","name":"x","request":{"method":"POST","url":"${url}","body":{"price":1.10}}}`;
    const path = `/api/v1/hooks/${hookId}/actions/import`;
    const made = await api.call("POST", path, { token: api.account.token, text });
    expect(made.text).toContain('"price":1.10');
    expect((await send("GET", `/actions/${made.body.id}/export`)).text).toContain('"price":1.10');
  });

  it("comes without destinations and saved credentials that the account doesn't have", async () => {
    const origin = "https://api.example.com";
    const destination = await send("POST", "/destinations", { name: "API", origin });
    const credential = await send("POST", "/credentials", { name: "Key", origin, auth });
    const saved = { type: "credential", credentialId: credential.body.id };
    const request = { method: "POST", url, auth: saved, destinationId: destination.body.id };
    const document = await exported(await api.createAction(hookId, { request }));
    const here = (await importInto(hookId, document)).body;
    expect(here).toMatchObject({ request, missingCredentials: [], missingDestinations: [] });
    const otherAccount = await api.createAccount("imports");
    const theirs = (await api.createHook({}, otherAccount.token)).id;
    const path = `/hooks/${theirs}/actions/import`;
    const there = await send("POST", path, document, otherAccount.token);
    expect(there.body).toMatchObject({
      request: { auth: null, destinationId: null },
      missingCredentials: ["call"],
      missingDestinations: ["call"],
    });
  });

  it.each([
    ["without its format", { name: "x" }, "format"],
    ["of another format", { format: "catchment.action/2", name: "x" }, "format"],
    ["with an unknown field", { extra: 1 }, "extra"],
    ["with neither a call nor steps", { request: null }, "request"],
    ["with an invalid step", { request: null, steps: [{ key: "a", kind: "nap" }] }, "steps.0.kind"],
    [
      "with an invalid template",
      { request: { method: "POST", url: `${url}/{{ x | y }}` } },
      "request.url",
    ],
    [
      "with a private address",
      { request: { method: "POST", url: "http://10.0.0.1" } },
      "request.url",
    ],
  ])("%s is rejected, and the error says where", async (_why, change, path) => {
    const request = { method: "POST", url };
    const base = "format" in change || !("name" in change) ? { format: "catchment.action/1" } : {};
    const { status, body } = await importInto(hookId, { ...base, name: "x", request, ...change });
    expect([status, body.errors.map((error: { path: string }) => error.path)]).toEqual([
      400,
      [path],
    ]);
  });
});
