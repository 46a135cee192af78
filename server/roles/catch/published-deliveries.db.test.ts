import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { signRequest } from "#lib/core/verify/sign.ts";
import { addAction, addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { addSubscription } from "#lib/db/testing/test-subscription.ts";
import { acceptDelivery } from "#lib/evaluate/stored/accept-delivery.ts";
import { acceptJob } from "#lib/jobs/kinds/accept.ts";
import { workAll } from "#lib/jobs/testing/work.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { hookPatchSchema } from "#lib/schema/receive/hook.ts";
import { acceptDeliveries } from "#lib/services/deliveries/change-deliveries.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send, sendJson, startTestCatch } from "#server/testing/catch-harness.ts";
import {
  event,
  secret,
  verifyParts,
  withPendingHooks,
} from "#server/testing/with-pending-hooks.ts";

const { bench, addPending, addSecret, deliver, rowsOf, verify } = withPendingHooks();

const publish = { eventType: null, recipientPath: "customer" };

async function eventsOf({ accountId }: TestHook) {
  const events = await bench.db.event.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  return events.map((row) => ({ ...row, body: Buffer.from(row.body).toString() }));
}

test("an accepted delivery becomes an event for its recipient's subscriptions, beside its actions' runs", async () => {
  const hook = await addHook(bench.db, { publish });
  const { accountId } = hook;
  await addAction(bench.db, hook);
  const [first, second] = [
    await addSubscription(bench.db, accountId, { recipient: "cust_1", eventTypes: ["orders.*"] }),
    await addSubscription(bench.db, accountId, { recipient: "cust_1", ordered: true }),
  ];
  await addSubscription(bench.db, accountId, { recipient: "cust_2" });
  await addSubscription(bench.db, accountId);
  const body = '{"id":"e1", "type":"orders/create","customer":"cust_1","total": 1.10}';
  const response = await sendJson(bench.caught.port, hook.path, body);
  const again = await sendJson(bench.caught.port, hook.path, body);
  expect([response.json.status, again.json.status]).toEqual(["accepted", "duplicate"]);
  const [published, ...more] = await eventsOf(hook);
  expect(more).toEqual([]);
  const [delivery] = await rowsOf(hook);
  expect(published).toMatchObject({
    publicId: published?.id,
    type: "orders.create",
    recipient: "cust_1",
    deliveryId: delivery?.id,
    warning: null,
    body:
      `{"id":"${published?.id}","type":"orders.create",` +
      `"timestamp":"${delivery?.receivedAt.toISOString()}","data":${body}}`,
  });
  const runs = await bench.db.queuedRun.findMany({
    where: { eventId: published?.id ?? "" },
    orderBy: { id: "asc" },
  });
  expect(runs.map(({ targetId, position }) => [targetId, position])).toEqual([
    [first, null],
    [second, 1n],
  ]);
  expect(await bench.db.queuedRun.count({ where: { deliveryId: delivery?.id ?? "" } })).toBe(1);
});

test("a delivery in an envelope is published with its own data, and its schema is of that data", async () => {
  const hook = await addHook(bench.db, {
    publish: { eventType: null, recipientPath: "data.object.customer" },
  });
  const schema = { required: ["object"], properties: { object: { required: ["amount"] } } };
  await bench.db.eventType.create({
    data: { accountId: hook.accountId, name: "charge.paid", schema, onMismatch: "reject" },
  });
  const data = '{"object": {"customer":"cust_1","amount":1.10}}';
  const body = `{"id":"evt_1","type":"charge.paid","created":1,"data":${data}}`;
  await sendJson(bench.caught.port, hook.path, body);
  const [published] = await eventsOf(hook);
  expect(published).toMatchObject({ type: "charge.paid", recipient: "cust_1" });
  expect(published?.body.endsWith(`"data":${data}}`)).toBe(true);
});

test("an event whose schema can't be checked isn't published, and its delivery is stored", async () => {
  const hook = await addHook(bench.db, { publish: { eventType: "paid", recipientPath: null } });
  await addAction(bench.db, hook);
  const other = await addHook(bench.db, { publish: { eventType: "paid", recipientPath: null } });
  const schemas = [
    [hook.accountId, { $ref: "https://example.com/elsewhere.json" }],
    [other.accountId, { $ref: "#" }],
  ] as const;
  for (const [accountId, schema] of schemas)
    await bench.db.eventType.create({
      data: { accountId, name: "paid", schema, onMismatch: "reject" },
    });
  for (const { path } of [hook, other])
    expect((await sendJson(bench.caught.port, path, { id: "e1" })).json.status).toBe("accepted");
  const reasons = (await Promise.all([rowsOf(hook), rowsOf(other)])).flat();
  expect(reasons.map(({ reason }) => reason)).toEqual(["schema_unchecked", "schema_mismatch"]);
  expect(await bench.db.queuedRun.count({ where: { hookId: hook.id } })).toBe(1);
  expect(await eventsOf(hook)).toEqual([]);
});

test("a compressed body, a large one, and one without a recipient are published too", async () => {
  const hook = await addHook(bench.db, {
    publish: { ...publish, eventType: "caught" },
    dedupe: null,
  });
  const general = await addSubscription(bench.db, hook.accountId);
  const post = (body: Uint8Array, headers = {}) =>
    send(bench.caught.port, hook.path, {
      body: body as BodyInit,
      headers: { "content-type": "application/json", ...headers },
    });
  await post(gzipSync('{"customer":"zip"}'), { "content-encoding": "gzip" });
  const large = `{"customer":"large","x":"${"x".repeat(400_000)}"}`;
  await post(Buffer.from(large));
  await post(Buffer.from("a,b"), { "content-type": "text/csv" });
  const events = await eventsOf(hook);
  expect(events.map(({ type, recipient }) => [type, recipient])).toEqual([
    ["caught", "zip"],
    ["caught", "large"],
    ["caught", null],
  ]);
  expect(events[0]?.body).toContain('"data":{"customer":"zip"}}');
  expect(events[1]?.body.endsWith(`"data":${large}}`)).toBe(true);
  expect(events[2]).toMatchObject({ warning: expect.stringContaining("customer") });
  expect(events[2]?.body).toContain('"data":{"body":"a,b","encoding":"utf8"}}');
  const runs = await bench.db.queuedRun.findMany({ where: { accountId: hook.accountId } });
  expect(runs.map(({ targetId, eventId }) => [targetId, eventId])).toEqual([
    [general, events[2]?.id],
  ]);
});

test("each event of a batch is published by itself, and a repeated one isn't", async () => {
  const hook = await addHook(bench.db, { provider: "gocardless", signingSecret: "s", publish });
  const scheme = findProvider("gocardless")?.scheme;
  if (scheme === undefined) throw new Error("gocardless");
  const post = (...ids: string[]) => {
    const events = ids.map((id) => ({ id, resource_type: "payments", customer: `c_${id}` }));
    const body = Buffer.from(JSON.stringify({ events, meta: {} }));
    const headers = signRequest(scheme, "s", { body, timestampMs: Date.now() });
    return send(bench.caught.port, hook.path, {
      body: new Uint8Array(body),
      headers: { "content-type": "application/json", ...headers },
    });
  };
  await post("EV1", "EV2");
  await post("EV2", "EV3");
  const events = await eventsOf(hook);
  expect(events.map(({ recipient }) => recipient)).toEqual(["c_EV1", "c_EV2", "c_EV3"]);
  const deliveries = new Map((await rowsOf(hook)).map((row) => [row.id, row]));
  for (const { deliveryId } of events)
    expect(deliveries.get(deliveryId ?? "")).toMatchObject({ status: "accepted" });
});

/** A type whose data needs a whole number as its total. */
async function addType({ accountId }: TestHook, name: string, onMismatch: "warn" | "reject") {
  const schema = { required: ["total"], properties: { total: { type: "integer" } } };
  await bench.db.eventType.create({ data: { accountId, name, schema, onMismatch } });
}

test(
  "what breaks the schema of its type or the limit of size isn't " +
    "published, and its delivery is accepted and says why",
  async () => {
    const hook = await addHook(bench.db, { publish: { eventType: null, recipientPath: null } });
    await addAction(bench.db, hook);
    await addType(hook, "order.paid", "reject");
    await addType(hook, "order.seen", "warn");
    const post = (body: object) => sendJson(bench.caught.port, hook.path, body);
    const wrong = { id: "e1", type: "order.paid", total: "1" };
    const responses = [
      await post(wrong),
      await post(wrong),
      await post({ id: "e2", type: "order.paid", total: 1 }),
      await post({ id: "e3", type: "order.seen", total: "1" }),
      await post({ id: "e4", type: "order.made", text: "é".repeat(600_000) }),
    ];
    expect(responses.map(({ json }) => json.status)).toEqual([
      "accepted",
      "duplicate",
      ...Array.from({ length: 3 }, () => "accepted"),
    ]);
    const mismatch = "data.total: must be integer";
    expect((await rowsOf(hook)).map(({ reason, detail }) => [reason, detail])).toEqual([
      ["schema_mismatch", `Not published as order.paid. ${mismatch}.`],
      [null, null],
      [null, null],
      [null, null],
      ["event_too_large", "Not published as order.made. An event can have at most 1 MiB."],
    ]);
    expect((await eventsOf(hook)).map(({ type, warning }) => [type, warning])).toEqual([
      ["order.paid", null],
      ["order.seen", mismatch],
    ]);
    // All but the duplicate ran the action.
    expect(await bench.db.queuedRun.count({ where: { hookId: hook.id } })).toBe(4);
  },
);

test("a part of a batch, and a delivery that was pending, are checked too", async () => {
  const hook = await addHook(bench.db, {
    provider: "gocardless",
    signingSecret: "s",
    publish: { ...publish, eventType: "payment" },
  });
  await addType(hook, "payment", "reject");
  const scheme = findProvider("gocardless")?.scheme;
  if (scheme === undefined) throw new Error("gocardless");
  const events = [1, "2"].map((total) => ({ id: `EV${total}`, resource_type: "payments", total }));
  const body = Buffer.from(JSON.stringify({ events, meta: {} }));
  await send(bench.caught.port, hook.path, {
    body: new Uint8Array(body),
    headers: {
      "content-type": "application/json",
      ...signRequest(scheme, "s", { body, timestampMs: Date.now() }),
    },
  });
  const [published, ...more] = await eventsOf(hook);
  expect([published?.body, more]).toEqual([expect.stringContaining('"total":1'), []]);
  const reasons = (await rowsOf(hook)).map(({ status, reason }) => [status, reason]);
  expect(reasons.toSorted()).toEqual([
    ["accepted", null],
    ["accepted", "schema_mismatch"],
    ["batch", null],
  ]);

  const pending = await addPending();
  const patch = hookPatchSchema.parse({ publish });
  await updateHook(testContext(bench.db, pending.accountId), { id: pending.id, ...patch });
  await addType(pending, "charge.succeeded", "reject");
  await deliver(pending, event("evt_1"));
  await addSecret(pending);
  // A busy machine may not check it in time. Then it stays pending.
  await expect.poll(() => verify(pending)).toMatchObject({ accepted: 1 });
  expect(await rowsOf(pending)).toMatchObject([{ status: "accepted", reason: "schema_mismatch" }]);
  expect(await eventsOf(pending)).toEqual([]);
});

test("the worker, which accepts rejected deliveries later, checks their events too", async () => {
  const hook = await addHook(bench.db, { provider: "stripe", signingSecret: secret, publish });
  await addType(hook, "charge.succeeded", "reject");
  await deliver(hook, event("evt_1"), "whsec_of_an_attacker");
  await addSecret(hook, "whsec_of_an_attacker");
  const filter = { hookId: hook.id, status: "rejected" } as const;
  await acceptDeliveries(testContext(bench.db, hook.accountId), { filter });
  const client = createHttpClient({ allow: [], ownOrigins: [], ownPorts: [] });
  await workAll(acceptJob({ db: bench.db, ...verifyParts, client }));
  await client.close();
  expect(await rowsOf(hook)).toMatchObject([{ status: "accepted", reason: "schema_mismatch" }]);
  expect(await eventsOf(hook)).toEqual([]);
});

test("while an event can't be checked, its delivery has to come again, and other hooks don't notice", async () => {
  const checkEvents = () => Promise.reject(new Error("busy"));
  const caught = await startTestCatch(bench.url, { checkEvents });
  const [publishing, other] = [await addHook(bench.db, { publish }), await addHook(bench.db)];
  const response = await sendJson(caught.port, publishing.path, { id: "e1" });
  expect([response.status, response.json.code]).toEqual([503, "unavailable"]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await rowsOf(publishing)).toEqual([]);
  expect((await sendJson(caught.port, other.path, { id: "e1" })).json.status).toBe("accepted");
  await caught.stop();
});

test("pending deliveries are published once they are verified, and rejected ones once they are accepted", async () => {
  const hook = await addPending();
  const patch = hookPatchSchema.parse({ publish });
  await updateHook(testContext(bench.db, hook.accountId), { id: hook.id, ...patch });
  await addSubscription(bench.db, hook.accountId);
  await deliver(hook, event("evt_1"));
  await deliver(hook, event("evt_forged"), "whsec_of_an_attacker");
  expect(await eventsOf(hook)).toEqual([]);
  await addSecret(hook);
  await verify(hook);
  const [pending, forged] = await rowsOf(hook);
  expect((await eventsOf(hook)).map(({ deliveryId, type }) => [deliveryId, type])).toEqual([
    [pending?.id, "charge.succeeded"],
  ]);
  await addSecret(hook, "whsec_of_an_attacker");
  const accepted = bench.db.$transaction((tx) =>
    acceptDelivery(tx, hook.accountId, forged?.id ?? "", verifyParts),
  );
  expect(await accepted).toBe("accepted");
  expect((await eventsOf(hook)).map(({ deliveryId }) => deliveryId)).toEqual([
    pending?.id,
    forged?.id,
  ]);
  expect(await bench.db.queuedRun.count({ where: { accountId: hook.accountId } })).toBe(2);
});
