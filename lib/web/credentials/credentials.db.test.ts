import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;
const origin = "https://crm.example.com";
const secret = "sk_live_0123456789abcdef";
const bearer = { type: "bearer", token: secret };
let hookId: string;
beforeAll(async () => {
  hookId = (await send("POST", "/hooks", { name: "Orders" })).body.id;
});

const addCredential = async (fields: object = {}) =>
  (await send("POST", "/credentials", { name: "CRM", origin, auth: bearer, ...fields })).body;
const addDestination = async (fields: object = {}) =>
  (await send("POST", "/destinations", { name: "CRM", origin, ...fields })).body;
const addAction = (request: object, name = "To the CRM") =>
  send("POST", `/hooks/${hookId}/actions`, {
    name,
    request: { method: "POST", url: `${origin}/contacts`, ...request },
  });

it("a credential is stored encrypted and never returned", async () => {
  const made = await send("POST", "/credentials", {
    name: "CRM",
    origin: "https://CRM.example.com:443/",
    auth: { type: "oauth2", tokenUrl: `${origin}/token`, clientId: "me", clientSecret: secret },
  });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    origin,
    auth: {
      type: "oauth2",
      tokenUrl: `${origin}/token`,
      clientId: "me",
      scope: null,
      clientAuth: "basic",
      hint: "cdef",
    },
    usedBy: { actions: 0, destinations: 0, subscriptions: 0 },
  });
  const read = await send("GET", `/credentials/${made.body.id}`);
  const listed = await send("GET", "/credentials?limit=1");
  expect([read.body, listed.body.data[0]]).toEqual([made.body, made.body]);
  const rows = await api.db.credential.findMany({ where: { id: made.body.id } });
  const kept = JSON.stringify(rows) + rows.map((row) => Buffer.from(row.ciphertext).toString());
  expect([made.text, read.text, listed.text, kept].join()).not.toContain(secret);
});

it.each([
  ["a path", { origin: `${origin}/v1` }, "origin"],
  ["a private address", { origin: "http://10.0.0.1" }, "origin"],
  ["no secret", { auth: { type: "bearer", token: "" } }, "auth.token"],
  ["an unknown type", { auth: { type: "magic" } }, "auth.type"],
  ["a reserved header", { auth: { type: "header", name: "Host", value: "x" } }, "auth.name"],
  [
    "a private token server",
    { auth: { type: "oauth2", tokenUrl: "http://10.0.0.1/", clientId: "a", clientSecret: "b" } },
    "auth.tokenUrl",
  ],
  ["a short HMAC secret", { auth: { type: "hmac", secret: "whsec_c2hvcnQ=" } }, "auth.secret"],
  [
    "no certificate",
    { auth: { type: "certificate", certificate: "x", privateKey: "y" } },
    "auth.certificate",
  ],
])("a credential with %s is rejected", async (_, fields, path) => {
  const response = await send("POST", "/credentials", {
    name: "CRM",
    origin,
    auth: bearer,
    ...fields,
  });
  expect([response.status, response.body.errors[0].path]).toEqual([400, path]);
});

it("a request names credential and destination, and keeps them if it omits them", async () => {
  const { id: credentialId } = await addCredential();
  const { id: destinationId } = await addDestination({ credentialId, maxConcurrency: 3 });
  const auth = { type: "credential", credentialId };
  const made = await addAction({ auth, destinationId });
  expect(made.body.request).toMatchObject({ auth, destinationId });
  const read = await send("GET", `/actions/${made.body.id}`);
  expect(read.body).toEqual(made.body);
  const { auth: _omitted, ...request } = made.body.request;
  const kept = await send("PATCH", `/actions/${made.body.id}`, { request });
  expect(kept.body.request).toEqual(made.body.request);
  const steps = ["a", "b"].map((key) => ({ key, kind: "call", request: made.body.request }));
  const grown = await send("PATCH", `/actions/${made.body.id}`, { steps });
  expect(grown.body.steps).toMatchObject(steps);
  const row = await api.db.action.findUniqueOrThrow({ where: { id: made.body.id } });
  expect([row.destinationIds, row.credentialIds]).toEqual([[destinationId], [credentialId]]);
  const without = { request: { ...request, auth: null, destinationId: null } };
  const bare = await send("PATCH", `/actions/${made.body.id}`, without);
  expect(bare.body.request).toMatchObject({ auth: null, destinationId: null });
  const after = await api.db.action.findUniqueOrThrow({ where: { id: made.body.id } });
  expect([after.destinationIds, after.credentialIds]).toEqual([[], []]);
});

it.each([
  ["another origin", { url: "https://evil.example/" }, "conflict"],
  ["another port", { url: `${origin}:8443/` }, "conflict"],
  ["a URL that is a template", { url: "{{ data.url }}" }, "conflict"],
])("a request with %s can't use them", async (_, request, code) => {
  const { id: credentialId } = await addCredential();
  const { id: destinationId } = await addDestination();
  const auth = { type: "credential", credentialId };
  for (const use of [{ auth }, { destinationId }, { auth, destinationId }]) {
    const response = await addAction({ ...use, ...request });
    expect([response.status, response.body.errors[0].code]).toEqual([400, code]);
  }
  const unknown = await addAction({ destinationId: newId() });
  expect(unknown.body.errors[0]).toMatchObject({
    path: "request.destinationId",
    code: "not_found",
  });
});

it("what is used can't be deleted or moved, and the error names its users", async () => {
  const credential = await addCredential();
  const destination = await addDestination({ credentialId: credential.id });
  const action = await addAction({ destinationId: destination.id }, "Add contact");
  const auth = { type: "credential", credentialId: credential.id };
  const other = await addAction({ auth }, "Remove contact");
  const removed = await send("DELETE", `/destinations/${destination.id}`);
  expect([removed.status, removed.body.detail]).toEqual([
    409,
    'This destination is used by the action "Add contact". Choose another one there first.',
  ]);
  const kept = await send("DELETE", `/credentials/${credential.id}`);
  expect([kept.status, kept.body.detail]).toEqual([
    409,
    'This credential is used by the action "Remove contact" and by the destination "CRM". Choose another one there first.',
  ]);
  const moved = await send("PATCH", `/destinations/${destination.id}`, {
    origin: "https://evil.example",
    credentialId: null,
  });
  expect([moved.status, moved.body.code]).toEqual([409, "conflict"]);
  expect((await send("GET", `/destinations/${destination.id}`)).body.usedBy).toEqual({
    actions: 1,
  });
  expect((await send("GET", `/credentials/${credential.id}`)).body.usedBy).toEqual({
    actions: 1,
    destinations: 1,
    subscriptions: 0,
  });
  for (const { body } of [action, other]) await send("DELETE", `/actions/${body.id}`);
  expect((await send("DELETE", `/destinations/${destination.id}`)).status).toBe(204);
  expect((await send("DELETE", `/credentials/${credential.id}`)).status).toBe(204);
});

it("a destination has a credential of its own origin only", async () => {
  const { id: credentialId } = await addCredential({ origin: "https://other.example" });
  const response = await send("POST", "/destinations", { name: "CRM", origin, credentialId });
  expect([response.status, response.body.errors[0].path]).toEqual([400, "credentialId"]);
});

it("a destination has the limits that it is given", async () => {
  const limits = {
    maxConcurrency: 5,
    rateLimit: { count: 10, perSeconds: 1 },
    breaker: { failures: 5, windowSeconds: 60, openSeconds: 30 },
  };
  const made = await addDestination(limits);
  expect(made).toMatchObject(limits);
  const changed = await send("PATCH", `/destinations/${made.id}`, { breaker: null, name: "New" });
  expect(changed.body).toMatchObject({ ...limits, breaker: null, name: "New" });
});
