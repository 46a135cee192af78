import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { sweepCallbacks } from "#lib/db/subscriptions/event-callbacks.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import { publishEvent } from "#lib/services/events/publish-event.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import { addToken, connectMcp, eras } from "#lib/web/testing/mcp-clients.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

/** MCP Events by the protocol's own client, with a callback that is a real server. */
const api = withApi();
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;

type Call = { readonly headers: IncomingHttpHeaders; readonly text: string };
const calls: Call[] = [];
let echo: (challenge: string) => string = (challenge) => JSON.stringify({ challenge });
let port = 0;
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => {
    text += part;
  });
  request.on("end", () => {
    calls.push({ headers: request.headers, text });
    response.end(echo(JSON.parse(text).challenge));
  });
});

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());
beforeEach(async () => {
  calls.length = 0;
  echo = (challenge) => JSON.stringify({ challenge });
  await emptyTables(api.db, "subscriptions", "events", "queue", "event_types");
});

const scopes: ApiScope[] = ["events:read", "events:write", "callbacks:write"];
const delivery = () => ({ mode: "webhook", url: `http://127.0.0.1:${port}/hook`, secret });
const publish = async (data: unknown, fields = {}) => {
  const system = serviceContext({ type: "system", accountId: api.account.id });
  const body = JSON.stringify({ type: "invoice.paid", data, ...fields });
  return (await publishEvent(system, { body })).id;
};

/** Calls methods as a client of the protocol. An error is its code and data. */
async function connect(given: readonly ApiScope[] = scopes, era: (typeof eras)[number] = eras[0]) {
  const made = await addToken(api, "member", given);
  const client = await connectMcp({ token: made.token, era });
  const ask = async (method: string, params: Record<string, unknown> = {}) => {
    try {
      // biome-ignore lint/suspicious/noExplicitAny: results are compared with expectations
      return (await client.request({ method, params }, z.looseObject({}))) as any;
    } catch (error) {
      const { code, data, message } = error as { code: number; data: unknown; message: string };
      return { code, data, message };
    }
  };
  const subscribe = (fields = {}) =>
    ask("events/subscribe", {
      name: "invoice.paid",
      delivery: delivery(),
      cursor: null,
      ...fields,
    });
  return { ...made, client, ask, subscribe };
}

it.each(eras)("lists event types, and polls each event once (%s)", async (era) => {
  const { client, ask } = await connect(["events:read"], era);
  expect(client.getServerCapabilities()).toMatchObject({
    extensions: { "io.modelcontextprotocol/events": {} },
  });
  await api.send("PUT", "/event-types/invoice.paid", {
    ...{ description: "It was paid", schema: { type: "object", required: ["n"] } },
  });
  await publish({ n: 1 });
  await publish({}, { type: "user.created" });
  const { events } = await ask("events/list");
  expect(events).toMatchObject([
    {
      ...{ name: "invoice.paid", description: "It was paid", delivery: ["poll", "webhook"] },
      payloadSchema: { required: ["n"] },
    },
    { name: "user.created", payloadSchema: { type: "object" } },
  ]);
  const poll = (fields: object) => ask("events/poll", { name: "invoice.paid", ...fields });
  const first = await poll({ cursor: null });
  expect(first).toMatchObject({ events: [], truncated: false, hasMore: false });
  const ids = [await publish({ n: 2 }), await publish([3]), await publish({ n: 4 })];
  await publish({ n: 5 }, { recipient: "cust_1" });
  const second = await poll({ cursor: first.cursor, maxEvents: 2 });
  expect(second).toMatchObject({
    hasMore: true,
    events: [
      { eventId: ids[0], name: "invoice.paid", data: { n: 2 } },
      { eventId: ids[1], data: { value: [3] } },
    ],
  });
  const third = await poll({ cursor: second.cursor });
  expect(third).toMatchObject({ hasMore: false, events: [{ eventId: ids[2] }] });
  expect((await poll({ cursor: third.cursor })).events).toEqual([]);
  const ofCustomer = await poll({ cursor: first.cursor, arguments: { recipient: "cust_1" } });
  expect(ofCustomer.events).toMatchObject([{ data: { n: 5 } }]);
  expect(await poll({ cursor: "no cursor" })).toMatchObject({ code: -32_602 });
  expect(await poll({ cursor: null, arguments: { other: 1 } })).toMatchObject({ code: -32_602 });
  expect(await ask("events/subscribe", {})).toMatchObject({ code: -32_012 });
});

it("a callback echoes a signed challenge, and is a subscription until its end", async () => {
  const { ask, subscribe, userId } = await connect();
  expect(await subscribe()).toMatchObject({ code: -32_011, data: { kind: "event" } });
  await publish({ n: 1 });
  echo = () => "{}";
  expect(await subscribe()).toMatchObject({ code: -32_015, data: { reason: "challenge_failed" } });
  echo = (challenge) => JSON.stringify({ challenge });
  const made = await subscribe({ ttlMs: 3_600_000 });
  expect(made).toMatchObject({ id: expect.stringMatching(/^sub_[0-9a-f]{32}$/), truncated: false });
  const hours = (Date.parse(made.refreshBefore) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(0.99);
  expect(hours).toBeLessThan(1.01);
  const call = calls.at(-1);
  expect(call?.headers).toMatchObject({
    ...{ "x-mcp-subscription-id": made.id, "content-type": "application/json" },
    "webhook-id": expect.stringMatching(/^msg_verification_/),
  });
  const headers = (call?.headers ?? {}) as Record<string, string>;
  new Webhook(secret).verify(call?.text ?? "", headers);
  const stored = await api.db.subscription.findMany({ include: { callback: true } });
  expect(stored).toMatchObject([
    {
      ...{ receiverUrl: delivery().url, eventTypes: ["invoice.paid"], status: "active" },
      ...{ receiverByPortal: true, description: "Callback of member" },
    },
  ]);
  const [entry] = await api.db.auditEntry.findMany({ orderBy: { seq: "desc" }, take: 1 });
  expect(entry).toMatchObject({ event: "subscription.created", actorType: "token" });

  // The same again renews it, without another challenge. Another secret signs beside the first.
  const asked = calls.length;
  const renewed = await subscribe({
    ttlMs: null,
    delivery: { ...delivery(), secret: otherSecret },
  });
  expect([renewed.id, calls.length]).toEqual([made.id, asked]);
  expect(Date.parse(renewed.refreshBefore)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  expect(await api.db.subscriptionSecret.count()).toBe(2);
  const all = await Promise.all(Array.from({ length: 5 }, () => subscribe()));
  expect(new Set(all.map(({ id }) => id))).toEqual(new Set([made.id]));
  expect(await api.db.subscription.count()).toBe(1);

  // Another person's is another one, and can't end this one.
  const other = await connect();
  const where = { name: "invoice.paid", delivery: { url: delivery().url } };
  expect(await other.ask("events/unsubscribe", where)).toMatchObject({ code: -32_011 });
  expect((await other.subscribe()).id).not.toBe(made.id);
  expect(await ask("events/unsubscribe", where)).toEqual(expect.objectContaining({}));
  expect(await ask("events/unsubscribe", where)).toMatchObject({ code: -32_011 });
  expect(await api.db.subscription.count({ where: { deletedAt: null } })).toBe(1);
  expect((await subscribe()).id).toBe(made.id);
  expect(userId).not.toBe(other.userId);
});

it("a callback can't be an address inside, this server, or unsigned", async () => {
  const { subscribe } = await connect();
  await publish({});
  for (const [fields, code] of [
    [{ url: "http://receiver.example/hook" }, -32_602],
    [{ url: "https://10.0.0.1/hook" }, -32_602],
    [{ url: "https://169.254.169.254/" }, -32_602],
    [{ url: "https://hooks.example.test/catch/acme/x" }, -32_602],
    [{ url: "https://user:pass@receiver.example/" }, -32_602],
    [{ secret: "whsec_c2hvcnQ=" }, -32_602],
    [{ secret: "plain" }, -32_602],
    [{ mode: "push" }, -32_014],
  ] as const)
    expect([fields, await subscribe({ delivery: { ...delivery(), ...fields } })]).toMatchObject([
      fields,
      { code },
    ]);
  expect(calls).toEqual([]);
  const closed = createServer();
  await new Promise<void>((listening) => closed.listen(0, "127.0.0.1", listening));
  const { port: unused } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const refusing = { ...delivery(), url: `http://127.0.0.1:${unused}/hook` };
  expect(await subscribe({ delivery: refusing })).toMatchObject({
    ...{ code: -32_015, data: { reason: "connection_refused" } },
  });
});

it("a new callback gets what came since its cursor, each once, and an ended one nothing", async () => {
  const { ask, subscribe, id: tokenId } = await connect();
  const { cursor } = await ask("events/poll", { name: "invoice.paid", cursor: null });
  const ids = [await publish({ n: 1 }), await publish({ n: 2 })];
  await publish({ n: 3 }, { recipient: "cust_1" });
  const made = await subscribe({ cursor });
  // What is open isn't behind the cursor.
  expect(made).toMatchObject({ cursor, truncated: false });
  const queued = async () => (await api.db.$queryRaw<unknown[]>`select 1 from queue`).length;
  expect(await queued()).toBe(ids.length);
  await subscribe({ cursor });
  expect(await queued()).toBe(ids.length);

  expect(await sweepCallbacks(api.db)).toBe(0);
  await api.db.apiToken.update({ where: { id: tokenId }, data: { revokedAt: new Date() } });
  expect(await sweepCallbacks(api.db)).toBe(1);
  expect(await api.db.subscription.count({ where: { deletedAt: null } })).toBe(0);
  expect(await api.db.subscriptionPattern.count()).toBe(0);
  expect(await api.db.eventCallback.count()).toBe(0);
});

it("a callback that failed is asked again, and one that a person disabled stays so", async () => {
  const { ask, subscribe } = await connect();
  await publish({});
  await subscribe();
  const disable = (statusReason: string) =>
    api.db.subscription.updateMany({ data: { status: "disabled", statusReason } });
  await disable("failing: It failed for days.");
  echo = () => "no";
  expect(await subscribe()).toMatchObject({ code: -32_015 });
  echo = (challenge) => JSON.stringify({ challenge });
  expect(await subscribe()).toMatchObject({ truncated: false });
  expect(await api.db.subscription.findFirst()).toMatchObject({ status: "active" });
  await disable("manual: It was disabled manually.");
  expect(await subscribe()).toMatchObject({ code: -32_012 });

  // Its time is over, and nothing has swept it yet. The next one is a new one, and gets what this one didn't.
  await api.db.$executeRaw`update event_callbacks set expires_at = now()`;
  const { cursor } = await ask("events/poll", { name: "invoice.paid", cursor: null });
  await publish({ n: 1 });
  expect(await subscribe({ cursor, maxAgeMs: 60_000 })).toMatchObject({ truncated: false });
  const live = await api.db.subscription.findMany({ where: { deletedAt: null } });
  const queued = await api.db.$queryRaw`select target_id as id from queue order by id desc limit 1`;
  expect(queued).toEqual(live.map(({ id }) => ({ id })));
  expect(await sweepCallbacks(api.db)).toBe(0);
  expect(await subscribe({ cursor: "no cursor" })).toMatchObject({ code: -32_602 });
});
