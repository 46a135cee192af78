import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { revokeApiToken } from "#lib/db/accounts/api-tokens.ts";
import { hashToken } from "#lib/db/accounts/hash-token.ts";
import { createPortalLink } from "#lib/db/recipients/portal-links.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { addSubscription } from "#lib/db/testing/test-subscription.ts";
import { portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";
import { sendRaw } from "#server/testing/catch-harness.ts";
import { batchPath, startTestPublish, withPublish } from "#server/testing/with-publish.ts";

const bench = withPublish();
const event = { type: "invoice.paid", data: { id: 1 } };

test("an event is stored with a run for each matching subscription before it is answered", async () => {
  const { accountId, token } = await bench.addPublisher();
  const target = await addSubscription(bench.db, accountId, { recipient: "cust_42" });
  await addSubscription(bench.db, accountId);
  const text =
    '{"type":"invoice.paid", "data": {"total":1.10,"id":12345678901234567890} ' +
    ',"recipient":"cust_42","occurredAt":"2026-11-21T08:00:00+01:00"}';
  const response = await bench.publish(token, text);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    202,
    "application/json",
  ]);
  const { id = "" } = response.json;
  expect(response.json).toEqual({
    id,
    type: "invoice.paid",
    recipient: "cust_42",
    runs: 1,
    duplicate: false,
  });
  const row = await bench.db.event.findUniqueOrThrow({ where: { id } });
  expect(row).toMatchObject({ accountId, publicId: id, recipient: "cust_42" });
  expect(Buffer.from(row.body).toString()).toBe(
    `{"id":"${id}","type":"invoice.paid","timestamp":"2026-11-21T07:00:00.000Z",` +
      '"data":{"total":1.10,"id":12345678901234567890}}',
  );
  const runs = await bench.db.queuedRun.findMany({ where: { eventId: id } });
  expect(runs.map(({ targetId }) => targetId)).toEqual([target]);
});

test("the same id again is 200 and sends nothing, and with other content it is 409", async () => {
  const { accountId, token } = await bench.addPublisher();
  await addSubscription(bench.db, accountId);
  const first = await bench.publish(token, { ...event, id: "evt_1" });
  const again = await bench.publish(token, { ...event, id: "evt_1" });
  const other = await bench.publish(token, { ...event, id: "evt_1", data: 2 });
  expect([first.status, again.status, other.status]).toEqual([202, 200, 409]);
  expect(again.json).toMatchObject({ id: "evt_1", duplicate: true });
  expect(again.json).not.toHaveProperty("runs");
  expect([other.headers.get("content-type"), other.json.code]).toEqual([
    "application/problem+json",
    "conflict",
  ]);
  expect(await bench.db.queuedRun.count({ where: { accountId } })).toBe(1);
  const elsewhere = await bench.addPublisher();
  expect((await bench.publish(elsewhere.token, { ...event, id: "evt_1" })).status).toBe(202);
});

test("an Idempotency-Key identifies events without an id, alone and in a batch", async () => {
  const { accountId, token } = await bench.addPublisher();
  const headers = { "idempotency-key": "key-1" };
  const batch = { events: [event, event, { ...event, id: "own" }] };
  const statuses: number[] = [];
  const batches: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    statuses.push((await bench.publish(token, event, { headers })).status);
    batches.push((await bench.publish(token, batch, { path: batchPath, headers })).text);
  }
  expect(statuses).toEqual([202, 200]);
  const ids = batches.map((text) => JSON.parse(text).events.map((one: { id: string }) => one.id));
  expect(ids[0]).toEqual(ids[1]);
  expect(new Set(ids[0]).size).toBe(3);
  expect(await bench.db.event.count({ where: { accountId } })).toBe(4);
  const wrong = await bench.publish(token, event, { headers: { "idempotency-key": "a b" } });
  expect([wrong.status, wrong.json.code]).toEqual([400, "invalid_request"]);
});

test("a batch of 1,000 events is answered with one result for each, in order", async () => {
  const { accountId, token } = await bench.addPublisher();
  await addSubscription(bench.db, accountId, { eventTypes: ["a.*"] });
  await bench.publish(token, { ...event, id: "evt_7" });
  const events = Array.from({ length: 1000 }, (_, index) => ({
    type: index % 2 === 0 ? "a.b" : "b",
    data: "x".repeat(index === 3 ? 300_000 : 10),
    id: `evt_${index}`,
  }));
  const response = await bench.publish(token, { events }, { path: batchPath });
  expect(response.status).toBe(202);
  const results: { id: string }[] = JSON.parse(response.text).events;
  expect(results.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  expect(results[4]).toMatchObject({ runs: 1, duplicate: false });
  expect(results[5]).toMatchObject({ runs: 0, duplicate: false });
  expect(results[7]).toMatchObject({ error: { code: "conflict" } });
  expect(await bench.db.event.count({ where: { accountId } })).toBe(1000);
  expect(await bench.db.queuedRun.count({ where: { accountId } })).toBe(500);
});

test("one invalid event of a batch is named, and nothing is stored", async () => {
  const { accountId, token } = await bench.addPublisher();
  const events = [event, event, event, { ...event, type: "Not A Type" }];
  const response = await bench.publish(token, { events }, { path: batchPath });
  expect([response.status, response.json.code]).toEqual([400, "invalid_request"]);
  expect(JSON.parse(response.text).errors).toMatchObject([{ path: "events.3.type" }]);
  expect(await bench.db.event.count({ where: { accountId } })).toBe(0);
});

const large = JSON.stringify({ ...event, data: "x".repeat(1024 * 1024) });

test.each([
  ["no JSON", "{", {}, {}, 400, "invalid_json"],
  ["an empty body", "", {}, {}, 400, "invalid_request"],
  ["an unknown field", { ...event, payload: 1 }, {}, {}, 400, "invalid_request"],
  ["a query", event, { path: "/api/v1/events?dry=1" }, {}, 400, "invalid_request"],
  [
    "another content type",
    "a=1",
    {},
    { "content-type": "text/plain" },
    415,
    "unsupported_media_type",
  ],
  ["more than 1 MiB", large, {}, {}, 413, "body_too_large"],
  ["no token", event, {}, { authorization: "" }, 401, "unauthenticated"],
  ["another scheme", event, {}, { authorization: "Basic YTpi" }, 401, "unauthenticated"],
  ["an unknown token", event, {}, { authorization: "Bearer cmt_x" }, 401, "unauthenticated"],
] as const)(
  "%s is a problem document as of every API call",
  async (_name, body, call, headers, status, code) => {
    const { accountId, token } = await bench.addPublisher();
    const response = await bench.publish(token, body, { ...call, headers });
    expect([response.status, response.json.code]).toEqual([status, code]);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    if (status === 401) expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await bench.db.event.count({ where: { accountId } })).toBe(0);
  },
);

test("a token needs the scope events:write", async () => {
  const { token } = await bench.addPublisher(["events:read", "hooks:write"]);
  const response = await bench.publish(token, event);
  expect([response.status, response.json.code]).toEqual([403, "forbidden"]);
  expect(response.json.detail).toContain("events:write");
});

test("other methods and paths are for the dashboard's process", async () => {
  const { token } = await bench.addPublisher();
  const port = bench.published.port;
  for (const [method, path] of [
    ["GET", "/api/v1/events"],
    ["OPTIONS", "/api/v1/events"],
    ["PUT", batchPath],
    ["POST", "/api/v1/events/"],
    ["POST", "/api/v1/events/1/resend"],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    expect([method, path, await response.text()]).toEqual([method, path, "other"]);
  }
});

test("the token of a portal link publishes nothing", async () => {
  const { accountId } = await bench.addPublisher();
  const input = { expiresInSeconds: 3_600, capabilities: [...portalCapabilities] };
  const { token } = await createPortalLink(bench.db, accountId, "cust_42", input);
  for (const path of ["/api/v1/events", batchPath])
    expect((await bench.publish(token, event, { path })).status).toBe(401);
  expect(await bench.db.event.count({ where: { accountId } })).toBe(0);
});

test("a revoked token, or one with fewer scopes, works no more in any process", async () => {
  const second = await startTestPublish(bench.url);
  const { accountId, token, tokenId } = await bench.addPublisher();
  const ports = [bench.published.port, second.port];
  const publishAll = async () => {
    const responses = await Promise.all(ports.map((port) => bench.publish(token, event, { port })));
    return responses.map(({ status }) => status);
  };
  expect(await publishAll()).toEqual([202, 202]);
  await bench.db.apiToken.update({ where: { id: tokenId }, data: { scopes: ["events:read"] } });
  await expect.poll(publishAll).toEqual([403, 403]);
  await bench.db.apiToken.update({ where: { id: tokenId }, data: { scopes: ["events:write"] } });
  // A rejected token is read again at once.
  expect(await publishAll()).toEqual([202, 202]);
  await revokeApiToken(bench.db, accountId, tokenId);
  await expect.poll(publishAll).toEqual([401, 401]);
  await second.stop();
});

test("a cached token can never do more than its maker, in any process", async () => {
  const second = await startTestPublish(bench.url);
  const { accountId, token, tokenId } = await bench.addPublisher();
  const userId = await addMember(bench.db, accountId, "member");
  await bench.db.apiToken.update({ where: { id: tokenId }, data: { createdBy: userId } });
  const publishAll = async () => {
    const ports = [bench.published.port, second.port];
    const responses = await Promise.all(ports.map((port) => bench.publish(token, event, { port })));
    return responses.map(({ status }) => status);
  };
  expect(await publishAll()).toEqual([202, 202]);
  const where = { accountId_userId: { accountId, userId } };
  await bench.db.membership.update({ where, data: { role: "viewer" } });
  await expect.poll(publishAll).toEqual([403, 403]);
  await bench.db.membership.update({ where, data: { role: "member" } });
  // A rejected token is read again at once.
  expect(await publishAll()).toEqual([202, 202]);
  await bench.db.membership.delete({ where });
  await expect.poll(publishAll).toEqual([401, 401]);
  await second.stop();
});

test("a token that expires while it is cached works no more", async () => {
  const { accountId } = await bench.addPublisher();
  const token = `expiring-${newId()}`;
  const data = { id: newId(), accountId, name: "t", scopes: ["events:write"], hint: "" };
  await bench.db.apiToken.create({ data: { ...data, tokenHash: hashToken(token) } });
  const publish = async () => (await bench.publish(token, event)).status;
  // A busy machine may need longer until it is used.
  const publishInTime = async () => {
    await bench.db.$executeRaw`
      update api_tokens set expires_at = now() + interval '1500 ms' where id = ${data.id}::uuid`;
    return await publish();
  };
  await expect.poll(publishInTime).toBe(202);
  await expect.poll(publish).toBe(401);
});

test("the use of a token is recorded", async () => {
  const { token, tokenId } = await bench.addPublisher();
  await bench.publish(token, event);
  const row = await bench.db.apiToken.findUniqueOrThrow({ where: { id: tokenId } });
  expect(row.lastUsedAt).not.toBeNull();
});

test("a body that stops arriving is answered, and the connection ends", {
  tags: "variant",
}, async () => {
  const { token } = await bench.addPublisher();
  const head =
    "POST /api/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: " +
    `Bearer ${token}\r\ncontent-length: 50\r\n\r\n{"type":`;
  const { received, closed } = await sendRaw(bench.published.port, head);
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  expect(received).toContain('"code":"request_timeout"');
  expect(closed).toBe(true);
});
