import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { endRuns } from "#lib/db/testing/test-runs.ts";
import { changeRunsJob } from "#lib/jobs/kinds/change-runs.ts";
import { replayMissingJob } from "#lib/jobs/kinds/replay-missing.ts";
import { workAll } from "#lib/jobs/testing/work.ts";
import { senderSettingsSchema } from "#lib/schema/send/settings.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const receiverUrl = "https://example.com/in";

async function create(fields: object = {}) {
  const response = await api.send("POST", "/subscriptions", { receiverUrl, ...fields });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.body;
}

async function publish(fields: Parameters<typeof newEvent>[1] = {}) {
  const event = newEvent(api.account.id, fields);
  await storeEvents(api.db, [event]);
  return event;
}

const sendsOf = (targetId: string) =>
  api.db.queuedRun.findMany({ where: { targetId }, orderBy: { id: "asc" } });

describe("a subscription over the API", () => {
  it("shows its secret once, and hints from then on", async () => {
    const made = await create({ headers: { "X-Key": "a long credential" }, keyPair: true });
    expect(made.secret).toMatch(/^whsec_/);
    const { body } = await api.send("GET", `/subscriptions/${made.id}`);
    const { secret, warnings, ...rest } = made;
    expect(warnings).toEqual([]);
    expect(body).toEqual(rest);
    expect(body).toMatchObject({
      eventTypes: ["*"],
      headers: { "X-Key": "••••tial" },
      retry: { maxAttempts: 10, initialDelayMs: 5000, maxDelayMs: 36000000 },
      secretHint: secret.slice(-4),
      status: "active",
      statusReason: null,
    });
    expect(body.publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    const rotated = await api.send("POST", `/subscriptions/${made.id}/secrets`, {});
    expect(rotated.status).toBe(201);
    expect(rotated.body.secrets).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain("a long credential");
  });

  it("names every wrong field", async () => {
    const { status, body } = await api.send("POST", "/subscriptions", {
      receiverUrl: "ftp://x",
      eventTypes: ["A"],
      headers: { Host: "x" },
      timeoutMs: 1,
      extra: 1,
    });
    expect(status).toBe(400);
    const paths = body.errors.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual([
      "eventTypes.0",
      "extra",
      "headers.Host",
      "receiverUrl",
      "timeoutMs",
    ]);
    const blocked = await api.send("POST", "/subscriptions", { receiverUrl: "http://10.0.0.1/" });
    expect(blocked.body.errors).toMatchObject([{ path: "receiverUrl", code: "not_allowed" }]);
  });

  it("keeps every digit of its filter", async () => {
    const text =
      '{"receiverUrl":"https://example.com","filter":{"all":[{"path":"data.id","op":"equals","value":12345678901234567890123}]}}';
    const { token } = api.account;
    const made = await api.call("POST", "/api/v1/subscriptions", {
      token,
      text,
      headers: { "content-type": "application/json" },
    });
    expect(made.text).toContain('"value":12345678901234567890123');
  });
});

it("a test event goes to its subscription only, with the example of the catalog", async () => {
  const [target, other] = [await create({ eventTypes: ["a.b"] }), await create()];
  const example = { amount: 1 };
  expect((await api.send("PUT", "/event-types/a.b", { example })).status).toBe(200);
  const sent = await api.send("POST", `/subscriptions/${target.id}/test`, {});
  expect([sent.status, sent.body.type]).toEqual([202, "a.b"]);
  const { body: event } = await api.send("GET", `/events/${sent.body.eventId}`);
  expect(event).toMatchObject({
    id: sent.body.eventId,
    isTest: true,
    body: { id: sent.body.eventId, type: "a.b", data: example },
    runs: [{ id: sent.body.runId, subscriptionId: target.id, eventId: sent.body.eventId }],
  });
  // Neither a resend nor a replay gives it to others.
  expect(
    (await api.send("POST", `/events/${sent.body.eventId}/resend`, {})).body.runs,
  ).toMatchObject([{ subscriptionId: target.id }]);
  expect(
    (await api.send("POST", `/subscriptions/${other.id}/replay-missing`, { since: "2020-01-01" }))
      .status,
  ).toBe(409);
  expect(await sendsOf(other.id)).toEqual([]);
});

it("recovery retries the failed sends of one subscription since a time", async () => {
  const [target, other] = [await create(), await create()];
  await publish();
  await publish();
  for (const { id } of [target, other])
    await endRuns(
      api.db,
      (await sendsOf(id)).map((run) => run.id),
    );
  const late = await api.send("POST", `/subscriptions/${target.id}/recover`, {
    since: "2999-01-01",
  });
  expect(late.status).toBe(409);
  const job = await api.send("POST", `/subscriptions/${target.id}/recover`, {
    since: "2026-01-01",
  });
  expect([job.status, job.body.kind, job.body.total]).toEqual([202, "retry", 2]);
  await workAll(changeRunsJob(api.db, "retry"), changeRunsJob(api.db, "cancel"));
  expect([(await sendsOf(target.id)).length, (await sendsOf(other.id)).length]).toEqual([2, 0]);
});

it("a replay sends what was missed while disabled, oldest first, and nothing twice", async () => {
  const target = await create({ recipient: "cust_7", eventTypes: ["a.*"], ordered: true });
  const seen = await publish({ type: "a.b", recipient: "cust_7" });
  expect((await api.send("POST", `/subscriptions/${target.id}/disable`)).body.status).toBe(
    "disabled",
  );
  const missed = [
    await publish({ type: "a.b", recipient: "cust_7" }),
    await publish({ type: "a.c", recipient: "cust_7" }),
  ];
  for (const fields of [{ type: "x" }, { recipient: "cust_8" }, { recipient: null }])
    await publish({ type: "a.b", recipient: "cust_7", ...fields });
  const ask = () =>
    api.send("POST", `/subscriptions/${target.id}/replay-missing`, { since: "2026-01-01" });
  expect((await ask()).status).toBe(409);
  expect((await api.send("POST", `/subscriptions/${target.id}/enable`)).body.status).toBe("active");
  const job = await ask();
  expect([job.status, job.body.kind, job.body.total]).toEqual([202, "replay_missing", 2]);
  await workAll(replayMissingJob(api.db));
  const sends = await sendsOf(target.id);
  const inOrder = sends.toSorted((a, b) => Number(a.position) - Number(b.position));
  expect(inOrder.map(({ eventId }) => eventId)).toEqual([seen, ...missed].map(({ id }) => id));
  const done = await api.send("GET", `/bulk-jobs/${job.body.id}`);
  expect(done.body).toMatchObject({ status: "finished", changedCount: 2, openCount: 2 });
  expect((await ask()).status).toBe(409);
});

describe("when new receiver URLs have to respond a challenge", () => {
  let server: Server;
  let respond: (challenge: string) => { header?: string; body?: string; allow?: string };
  const seen: string[] = [];

  beforeAll(async () => {
    await saveSenderSettings(
      api.db,
      api.account.id,
      senderSettingsSchema.parse({ challengeNewUrls: true }),
    );
    server = createServer((request, response) => {
      const { header, body = "", allow } = respond(String(request.headers["webhook-challenge"]));
      seen.push(`${request.method} ${request.headers["webhook-request-origin"] ?? ""}`);
      if (request.method === "POST" && header !== undefined)
        response.setHeader("webhook-challenge", header);
      if (request.method === "OPTIONS" && allow !== undefined)
        response.setHeader("webhook-allowed-origin", allow);
      request.resume().on("end", () => response.end(request.method === "POST" ? body : ""));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const url = (path: string) =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;

  it.each<[string, typeof respond]>([
    ["its header", (challenge) => ({ header: challenge })],
    ["the whole body", (challenge) => ({ body: `${challenge}\n` })],
    ["JSON", (challenge) => ({ body: JSON.stringify({ challenge }) })],
    ["our origin, allowed", () => ({ allow: "hooks.example.test" })],
    ["any origin, allowed", () => ({ allow: "*" })],
  ])("one that answers with %s is active at once", async (name, given) => {
    respond = given;
    expect((await create({ receiverUrl: url(encodeURIComponent(name)) })).status).toBe("active");
  });

  it("one that doesn't stays pending and gets nothing, until it does", async () => {
    respond = () => ({ header: "something else", body: "ok", allow: "other.example" });
    const made = await create({ receiverUrl: url("pending"), eventTypes: ["challenge.*"] });
    expect([made.status, made.statusReason]).toEqual([
      "pending",
      expect.stringMatching(/^challenge: /),
    ]);
    expect(seen.slice(-2)).toEqual(["POST ", "OPTIONS hooks.example.test"]);
    await publish({ type: "challenge.made" });
    expect(await sendsOf(made.id)).toEqual([]);
    const enable = () => api.send("POST", `/subscriptions/${made.id}/enable`);
    await expect.poll(async () => (await enable()).status, { interval: 0 }).toBe(429);
    respond = (challenge) => ({ header: challenge });
    await expect.poll(async () => (await enable()).status, { interval: 300 }).toBe(200);
    const moved = await api.send("PATCH", `/subscriptions/${made.id}`, {
      receiverUrl: url("moved"),
    });
    expect(moved.body.status).toBe("active");
    respond = () => ({});
    const lost = await api.send("PATCH", `/subscriptions/${made.id}`, { receiverUrl: url("lost") });
    expect(lost.body.status).toBe("pending");
  });
});

it("an event type's schema has to be usable, and OpenAPI webhooks become event types", async () => {
  const bad = await api.send("PUT", "/event-types/x.y", { schema: { type: "nonsense" } });
  expect([bad.status, bad.body.errors[0].path]).toEqual([400, "schema"]);
  const endless = await api.send("PUT", "/event-types/x.y", { schema: { $ref: "#" } });
  expect([endless.status, endless.body.errors[0].path]).toEqual([400, "schema"]);
  expect(endless.body.detail).toContain("refers to itself without end");
  const contradiction = { schema: { properties: { a: { type: "string" } } }, example: { a: 1 } };
  const contradictory = await api.send("PUT", "/event-types/x.y", contradiction);
  expect([contradictory.status, contradictory.body.errors]).toEqual([
    400,
    [
      {
        path: "example.a",
        code: "schema_mismatch",
        message: "doesn't match the schema: `a` must be string",
      },
    ],
  ]);
  const names = Array.from({ length: 1_600 }, (_, index) => `p${index}`);
  const wide = { properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
  expect((await api.send("PUT", "/event-types/x.y", { schema: wide })).status).toBe(200);
  expect((await api.send("DELETE", "/event-types/x.y")).status).toBe(204);
  expect((await api.send("PUT", "/event-types/X", {})).status).toBe(400);
  const document = {
    openapi: "3.1.0",
    webhooks: { "pet.sold": { post: { summary: "Sold" } }, newPet: { post: {} } },
  };
  const imported = await api.send("POST", "/event-types/import", { document });
  expect(imported.body).toMatchObject({ imported: ["pet.sold"], skipped: [{ name: "newPet" }] });
  const text = await api.send("POST", "/event-types/import", {
    document: "openapi: 3.1.0\nwebhooks: {a.b.c: {post: {}}}",
  });
  expect(text.body.imported).toEqual(["a.b.c"]);
  expect((await api.send("GET", "/event-types/pet.sold")).body).toMatchObject({
    description: "Sold",
    onMismatch: "warn",
  });
  const reserved = { openapi: "3.1.0", webhooks: { import: { post: {} } } };
  expect((await api.send("POST", "/event-types/import", { document: reserved })).body).toEqual({
    imported: [],
    skipped: [{ name: "import", reason: 'The name must not be "import", which is reserved.' }],
  });
  const path = await api.send("PUT", "/event-types/import", {});
  expect([path.status, path.body.detail]).toEqual([405, expect.stringContaining('named "import"')]);
  const page = await api.send("PUT", "/event-types/new", {});
  expect([page.status, page.body.errors[0].path]).toEqual([400, "name"]);
  expect((await api.send("DELETE", "/event-types/pet.sold")).status).toBe(204);
  expect((await api.send("GET", "/event-types/pet.sold")).status).toBe(404);
});

it("a recipient has portal links that can be ended, and can't be deleted while it subscribes", async () => {
  const put = await api.send("PUT", "/recipients/cust_1", {
    name: "Acme",
    metadata: { plan: "pro" },
  });
  expect(put.body).toMatchObject({
    id: "cust_1",
    name: "Acme",
    metadata: { plan: "pro" },
    subscriptionCount: 0,
  });
  const link = await api.send("POST", "/recipients/cust_1/portal-links", { expiresInSeconds: 60 });
  expect(link.body.url).toMatch(/^https:\/\/hooks\.example\.test\/portal\/cpl_[0-9A-Za-z]{22,}$/);
  const links = async () => (await api.send("GET", "/recipients/cust_1/portal-links")).body.data;
  expect(await links()).toMatchObject([{ id: link.body.id, revokedAt: null }]);
  expect((await api.send("DELETE", "/recipients/cust_1/portal-links")).status).toBe(204);
  expect(await links()).toMatchObject([{ revokedAt: expect.any(String) }]);
  const { id } = await create({ recipient: "cust_1" });
  expect((await api.send("DELETE", "/recipients/cust_1")).status).toBe(409);
  await api.send("DELETE", `/subscriptions/${id}`);
  expect((await api.send("DELETE", "/recipients/cust_1")).status).toBe(204);
  await api.send("PUT", "/recipients/cust_2", {});
  await api.send("PUT", "/recipients/cust_3", {});
  const list = await api.send("GET", "/recipients?limit=1");
  expect(list.body.data).toHaveLength(1);
  const next = await api.send("GET", `/recipients?limit=1&cursor=${list.body.nextCursor}`);
  expect(next.body.data[0]?.id).not.toBe(list.body.data[0].id);
});
