import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createApiToken, revokeApiToken } from "#lib/db/accounts/api-tokens.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { type ApiScope, apiScopes } from "#lib/schema/account/scopes.ts";
import { openEvents } from "#lib/web/testing/open-events.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();

const listen = (path: string, token = api.account.token) => openEvents(path, token);
const open = (fields: Record<string, unknown> = {}, token?: string) =>
  api.send("POST", "/listeners", { host: "ada.local", ...fields }, token);
const store = (hookId: string, fields = {}) =>
  storeDelivery(api.db, api.account.id, hookId, fields);

async function addToken(
  role: "owner" | "member" | "viewer",
  scopes: readonly ApiScope[] = apiScopes,
) {
  const userId = await addMember(api.db, api.account.id, role);
  const made = { name: role, userId, scopes, expiresAt: null };
  return { userId, ...(await createApiToken(api.db, api.account.id, made)) };
}

it("streams what is accepted, exactly as sent, and continues on another machine after what was acknowledged", async () => {
  const hook = await api.createHook();
  const opened = await open({ name: "laptop", hookIds: [hook.id] });
  const { id, connectionId } = opened.body;
  expect([opened.status, opened.body.lag, opened.body.connections[0].host]).toEqual([
    201,
    0,
    "ada.local",
  ]);
  const stream = await listen(`/listeners/${id}/stream?connection=${connectionId}`);
  expect(await stream.next()).toMatchObject({
    event: "status",
    data: { lag: 0, caughtUp: true, headCursor: "0" },
  });
  const body = Buffer.from(Array.from({ length: 1_024 }, (_, index) => index % 256));
  const headersJson = JSON.stringify([
    ["Content-Type", "application/octet-stream"],
    ["X-Twice", "1"],
    ["x-twice", "2"],
    ["Stripe-Signature", "t=1,v1=ab"],
    ["Authorization", "Bearer of the provider"],
  ]);
  const deliveryId = await store(hook.id, { body, headersJson, path: "/a", query: "b=1" });
  const [frame] = await stream.take("delivery");
  expect(frame).toMatchObject({
    cursor: `1-${deliveryId}`,
    deliveryId,
    hookId: hook.id,
    method: "POST",
    path: "/a?b=1",
    headers: [
      ["Content-Type", "application/octet-stream"],
      ["X-Twice", "1"],
      ["x-twice", "2"],
      ["Stripe-Signature", "t=1,v1=ab"],
      ["Authorization", "[redacted]"],
    ],
    bodyUrl: null,
  });
  const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  expect(hash(Buffer.from(frame.bodyBase64, "base64"))).toBe(hash(body));
  const second = await store(hook.id);
  await stream.take("delivery");
  const headers = [
    ["X", "y"],
    ["Set-Cookie", "secret"],
  ];
  const bodyBase64 = Buffer.alloc(20_000, "ok").toString("base64");
  const acks = [
    { cursor: frame.cursor, status: 500, headers, bodyBase64, bodyBytes: 70_000, ms: 12 },
  ];
  const path = `/listeners/${id}/acks`;
  const done = await api.send("POST", path, { connection: connectionId, acks });
  expect(done.body).toEqual({ acknowledged: 1, unknown: [] });
  expect((await api.send("POST", path, { connection: connectionId, acks })).body.unknown).toEqual([
    frame.cursor,
  ]);
  const responded = await api.send("GET", `/deliveries/${deliveryId}/responses`);
  expect(responded.body.data).toMatchObject([
    {
      ...{ listenerId: id, listener: "laptop", host: "ada.local", owner: expect.any(String) },
      ...{ status: 500, headers: { x: "y", "set-cookie": "[redacted]" }, durationMs: 12 },
      ...{ body: "ok".repeat(8_192), bodyBytes: 70_000, truncated: true, bodyBinary: false },
    },
  ]);
  expect((await api.send("GET", `/deliveries/${second}/responses`)).body).toEqual({ data: [] });
  const busy = await open({ name: "laptop", hookIds: [hook.id], host: "other.local" });
  expect([busy.status, busy.body.detail]).toEqual([
    409,
    expect.stringContaining("ada.local since 20"),
  ]);
  await stream.stop();
  const gone = await api.send("DELETE", `/listeners/${id}/connections/${connectionId}`);
  expect(gone.status).toBe(204);
  const [entry] = (await api.send("GET", "/audit?limit=1")).body.data;
  expect([entry.event, entry.targets[0].name]).toEqual(["listener.disconnected", "laptop"]);
  const third = await store(hook.id);
  const again = await open({ name: "laptop", hookIds: [hook.id], host: "other.local" });
  expect([again.status, again.body.id, again.body.lag]).toEqual([201, id, 2]);
  const next = await listen(`/listeners/${id}/stream?connection=${again.body.connectionId}`);
  const frames = await next.take("delivery", 2);
  expect(frames.map((each) => each.deliveryId)).toEqual([second, third]);
  await next.stop();
});

it("hands over at most 64 before they are acknowledged, and a large body by its call", async () => {
  const hook = await api.createHook();
  const { id, connectionId } = (await open({ hookIds: [hook.id] })).body;
  const large = await store(hook.id, { text: JSON.stringify("x".repeat(300_000)) });
  for (let count = 0; count < 70; count += 1) await store(hook.id);
  const stream = await listen(`/listeners/${id}/stream?connection=${connectionId}`);
  const frames = await stream.take("delivery", 64);
  expect(frames[0]).toMatchObject({ deliveryId: large, bodyBase64: null, bodyBytes: 300_002 });
  expect((await api.call("GET", frames[0].bodyUrl, { token: api.account.token })).body.body).toBe(
    JSON.stringify("x".repeat(300_000)),
  );
  const seen = await api.send("GET", `/listeners/${id}`);
  expect(seen.body.lag).toBe(71);
  const acks = frames.slice(0, 10).map(({ cursor }) => ({ cursor }));
  await api.send("POST", `/listeners/${id}/acks`, { connection: connectionId, acks });
  expect(await stream.take("delivery", 7)).toHaveLength(7);
  await stream.stop();
  const reconnected = await listen(
    `/listeners/${id}/stream?connection=${connectionId}&cursor=${frames[20].cursor}`,
  );
  const [first] = await reconnected.take("delivery");
  expect(first.cursor).toBe(frames[21].cursor);
  await reconnected.stop();
});

it("polls: waits for the next delivery, and repeats what it isn't told the program has", async () => {
  const hook = await api.createHook();
  const { id, connectionId } = (await open({ hookIds: [hook.id] })).body;
  const poll = (more: string) =>
    api.send("GET", `/listeners/${id}/deliveries?connection=${connectionId}&${more}`);
  const empty = await poll("wait=0");
  expect(empty.body).toEqual({
    data: [],
    nextCursor: null,
    status: { lag: 0, caughtUp: true, headCursor: "0" },
  });
  const waiting = poll("wait=25");
  const deliveryId = await store(hook.id);
  const { data, nextCursor } = (await waiting).body;
  expect(data).toMatchObject([{ deliveryId }]);
  expect((await poll("limit=1")).body.data).toHaveLength(1);
  expect((await poll(`cursor=${nextCursor}`)).body.data).toEqual([]);
  expect((await poll("wait=26")).body.errors[0].path).toBe("wait");
});

it("shared connections split what comes: together everything, and nothing twice", async () => {
  const hook = await api.createHook();
  const shared = { name: "team", hookIds: [hook.id], share: true };
  const one = (await open(shared)).body;
  const two = (await open({ ...shared, host: "other.local" })).body;
  expect((await open({ ...shared, share: false })).status).toBe(409);
  const stored = [];
  for (let count = 0; count < 100; count += 1) stored.push(await store(hook.id));
  const heard: string[] = [];
  while (heard.length < 100)
    for (const { connectionId } of [one, two]) {
      const path = `/listeners/${one.id}/deliveries?connection=${connectionId}&limit=20`;
      const { data } = (await api.send("GET", path)).body;
      heard.push(...data.map((frame: { deliveryId: string }) => frame.deliveryId));
      const acks = data.map(({ cursor }: { cursor: string }) => ({ cursor }));
      await api.send("POST", `/listeners/${one.id}/acks`, { connection: connectionId, acks });
    }
  expect(heard.toSorted()).toEqual(stored.toSorted());
});

it("begins at a time, skips to now, and hears again what is replayed or asked for", async () => {
  const hook = await api.createHook();
  await store(hook.id);
  await new Promise((resolve) => setTimeout(resolve, 2));
  const from = new Date().toISOString();
  const since = [await store(hook.id), await store(hook.id)];
  const { id, connectionId } = (await open({ name: "since", hookIds: [hook.id], from })).body;
  const read = async (connection = connectionId) => {
    const path = `/listeners/${id}/deliveries?connection=${connection}`;
    return (await api.send("GET", path)).body.data.map(
      (frame: { deliveryId: string }) => frame.deliveryId,
    );
  };
  expect(await read()).toEqual(since);
  await api.send("DELETE", `/listeners/${id}/connections/${connectionId}`);
  const now = (await open({ name: "since", hookIds: [hook.id], from: "now" })).body;
  expect([now.id, now.lag]).toEqual([id, 0]);
  expect(await read(now.connectionId)).toEqual([]);
  const replayed = await api.send("POST", `/deliveries/${since[0]}/replay`, {});
  expect([replayed.status, replayed.body]).toEqual([202, { runs: [] }]);
  await api.send("POST", `/listeners/${id}/deliveries`, { deliveryIds: [since[1]] });
  expect(await read(now.connectionId)).toEqual(since);
  const unknown = await api.send("POST", `/listeners/${id}/deliveries`, { deliveryIds: [newId()] });
  expect(unknown.status).toBe(404);
});

it("connects again with other hooks: those it had continue, and new ones begin now", async () => {
  const hooks = [await api.createHook(), await api.createHook(), await api.createHook()];
  const [a, b, c] = hooks.map(({ id }) => id);
  // Someone hears all of them, so that there is something to pass over.
  await open({ name: "all" });
  const connect = async (hookIds: readonly string[]) =>
    (await open({ name: "moves", hookIds })).body;
  const leave = async ({ id, connectionId }: { id: string; connectionId: string }) => {
    await api.send("DELETE", `/listeners/${id}/connections/${connectionId}`);
  };
  await leave(await connect([a]));
  const [a1] = [await store(a), await store(b)];
  const second = await connect([a, b]);
  expect(second.lag).toBe(1);
  await leave(second);
  const [a2, b2] = [await store(a), await store(b), await store(c)];
  const third = await connect([]);
  const c2 = await store(c);
  const path = `/listeners/${third.id}/deliveries?connection=${third.connectionId}`;
  const { data } = (await api.send("GET", path)).body;
  const heard = data.map((frame: { deliveryId: string }) => frame.deliveryId);
  expect(heard).toEqual([a1, a2, b2, c2]);
  await store(a);
  await leave(third);
  expect((await connect([b, c])).lag).toBe(4);
});

it("ends with the reason: hook or token gone, another stream, a silent program", {
  tags: "variant",
}, async () => {
  const hook = await api.createHook();
  const { id: tokenId, token } = await addToken("member");
  const begin = async (withToken?: string) => {
    const { id, connectionId } = (await open({ hookIds: [hook.id] }, withToken)).body;
    const path = `/listeners/${id}/stream?connection=${connectionId}`;
    return { id, connectionId, path, stream: await listen(path, withToken) };
  };
  const [silent, replaced, revoked] = [await begin(), await begin(), await begin(token)];
  await api.db.listenerConnection.update({
    where: { id: silent.connectionId },
    data: { seenAt: new Date(Date.now() - 31_000) },
  });
  const newer = await listen(replaced.path);
  await revokeApiToken(api.db, api.account.id, tokenId);
  const goodbyes = await Promise.all(
    [silent, replaced, revoked].map(({ stream }) => stream.take("goodbye")),
  );
  expect(goodbyes.flat()).toEqual([
    { reason: "no_heartbeat", retryAfter: 0 },
    { reason: "replaced", retryAfter: null },
    { reason: "unauthenticated", retryAfter: null },
  ]);
  expect(await revoked.stream.next()).toBeNull();
  await api.send("DELETE", `/hooks/${hook.id}`);
  expect(await newer.take("goodbye")).toEqual([{ reason: "hooks_deleted", retryAfter: null }]);
});

it("belongs to its person: others see it, and neither read nor end it, unless they are admins", async () => {
  const hook = await api.createHook();
  const [ada, laptop, viewer] = [
    await addToken("member"),
    await addToken("member"),
    await addToken("viewer"),
  ];
  const second = { name: "second", userId: ada.userId, scopes: apiScopes, expiresAt: null };
  const { token } = await createApiToken(api.db, api.account.id, second);
  const mine = (await open({ name: "mine", hookIds: [hook.id] }, ada.token)).body;
  const poll = (who: string) =>
    api.send(
      "GET",
      `/listeners/${mine.id}/deliveries?connection=${mine.connectionId}`,
      undefined,
      who,
    );
  expect((await poll(token)).status).toBe(200);
  expect((await poll(laptop.token)).status).toBe(403);
  expect((await open({}, viewer.token)).body.detail).toContain("can listen to deliveries");
  const seen = await api.send("GET", `/listeners?hookId=${hook.id}`, undefined, viewer.token);
  expect(seen.body.data.map(({ id }: { id: string }) => id)).toContain(mine.id);
  const theirs = (await open({ name: "mine", hookIds: [hook.id] }, laptop.token)).body;
  expect(theirs.id).not.toBe(mine.id);
  for (const path of [
    `/listeners/${mine.id}/connections/${mine.connectionId}`,
    `/listeners/${mine.id}`,
  ]) {
    expect((await api.send("DELETE", path, undefined, laptop.token)).status).toBe(403);
    expect((await api.send("DELETE", path)).status).toBe(204);
  }
  await api.db.account.update({
    where: { id: api.account.id },
    data: { maskedFields: ["email"] },
  });
  const reader = await addToken("member", ["deliveries:read"]);
  const masked = await open({}, reader.token);
  expect([masked.status, masked.body.detail]).toEqual([403, expect.stringContaining("masked for")]);
});
