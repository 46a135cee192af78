import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { acceptDelivery } from "#lib/catch/stored/accept-delivery.ts";
import { findProvider } from "#lib/core/catalog/catalog.ts";
import { signRequest } from "#lib/core/verify/sign.ts";
import { updateHook } from "#lib/db/hooks/hooks.ts";
import { addAction, addHook, type TestHook, testSealer } from "#lib/db/testing/test-hook.ts";
import { addSubscription } from "#lib/db/testing/test-subscription.ts";
import { hookPatchSchema } from "#lib/schema/hook.ts";
import { send, sendJson } from "#server/testing/catch-harness.ts";
import { event, verifyParts, withPendingHooks } from "#server/testing/with-pending-hooks.ts";

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
  const answer = await sendJson(bench.caught.port, hook.path, body);
  const again = await sendJson(bench.caught.port, hook.path, body);
  expect([answer.json.status, again.json.status]).toEqual(["accepted", "duplicate"]);
  const [published, ...more] = await eventsOf(hook);
  expect(more).toEqual([]);
  const [delivery] = await rowsOf(hook);
  expect(published).toMatchObject({
    publicId: published?.id,
    type: "orders.create",
    recipient: "cust_1",
    deliveryId: delivery?.id,
    warning: null,
    body: `{"id":"${published?.id}","type":"orders.create","timestamp":"${delivery?.receivedAt.toISOString()}","data":${body}}`,
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

test("pending deliveries are published once they are verified, and rejected ones once they are accepted", async () => {
  const hook = await addPending();
  const patch = hookPatchSchema.parse({ publish });
  await updateHook(bench.db, hook.accountId, hook.id, patch, testSealer);
  await addSubscription(bench.db, hook.accountId);
  await deliver(hook, event("evt_1"));
  await deliver(hook, event("evt_forged"), "whsec_of_a_stranger");
  expect(await eventsOf(hook)).toEqual([]);
  await addSecret(hook);
  await verify(hook);
  const [pending, forged] = await rowsOf(hook);
  expect((await eventsOf(hook)).map(({ deliveryId, type }) => [deliveryId, type])).toEqual([
    [pending?.id, "charge.succeeded"],
  ]);
  await addSecret(hook, "whsec_of_a_stranger");
  expect(await acceptDelivery(bench.db, hook.accountId, forged?.id ?? "", verifyParts)).toBe(
    "accepted",
  );
  expect((await eventsOf(hook)).map(({ deliveryId }) => deliveryId)).toEqual([
    pending?.id,
    forged?.id,
  ]);
  expect(await bench.db.queuedRun.count({ where: { accountId: hook.accountId } })).toBe(2);
});
