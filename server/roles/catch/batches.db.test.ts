import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { signRequest } from "#lib/core/verify/sign.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { countDedupeKeys, countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { verifyPending } from "#lib/evaluate/stored/verify-pending.ts";
import { hookPatchSchema } from "#lib/schema/receive/hook.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";
import { verifyParts } from "#server/testing/with-pending-hooks.ts";

const bench = withCatch();

const secret = "a secret";

function deliver(hook: TestHook, body: string | Buffer, headers: Record<string, string> = {}) {
  const scheme = findProvider(hook.provider)?.scheme;
  if (scheme === undefined) throw new Error(hook.provider);
  const bytes = Buffer.from(body);
  return send(bench.caught.port, hook.path, {
    body: new Uint8Array(bytes),
    headers: {
      "content-type": "application/json",
      ...headers,
      ...signRequest(scheme, secret, { body: bytes, timestampMs: Date.now() }),
    },
  });
}

const rowsOf = (hook: TestHook) => readDeliveries(bench.db, hook);
const textOf = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();
const charge = (id: string) =>
  `{"id":"${id}","resource_type":"payments","action":"confirmed", "amount":1.10}`;
const gocardless = (...ids: string[]) => `{"events":[${ids.map(charge).join(" , ")}],"meta":{}}`;
const addGocardless = (input: Record<string, unknown> = {}) =>
  addHook(bench.db, { provider: "gocardless", signingSecret: secret, ...input });

test(
  "a body with three events becomes three deliveries with their own id, type " +
    "and body, each run once, and the signed bytes are stored once",
  async () => {
    const hook = await addGocardless();
    await addAction(bench.db, hook);
    const body = gocardless("EV1", "EV2", "EV3");
    const response = await deliver(hook, body);
    const [whole, ...events] = await rowsOf(hook);
    expect([response.status, response.json]).toEqual([
      200,
      {
        status: "accepted",
        deliveryId: whole?.id,
        eventCount: 3,
        deliveryIds: events.map(({ id }) => id),
      },
    ]);
    expect(whole).toMatchObject({
      status: "batch",
      eventId: null,
      batchId: null,
      verificationOutcome: "verified",
    });
    expect(whole === undefined ? "" : textOf(whole)).toBe(body);
    expect(events).toMatchObject(
      ["EV1", "EV2", "EV3"].map((eventId) => ({
        status: "accepted",
        eventId,
        eventType: "payments.confirmed",
        batchId: whole?.id,
        contentType: "application/json",
        verificationOutcome: "verified",
      })),
    );
    // Character by character: no number is rounded.
    expect(events.map(textOf)).toEqual(["EV1", "EV2", "EV3"].map(charge));
    const listed = await listDeliveries(
      bench.db,
      hook.accountId,
      { batchId: whole?.id },
      { limit: 10 },
    );
    expect(listed.items.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toReversed());
    const runs = await bench.db.queuedRun.findMany({ where: { hookId: hook.id } });
    expect(runs.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(
      events.map(({ id }) => id).toSorted(),
    );
  },
);

test("each event is deduplicated separately: accepted if any is new, a duplicate if none is", async () => {
  const hook = await addGocardless();
  await addAction(bench.db, hook);
  await deliver(hook, gocardless("EV1", "EV2"));
  const mixed = await deliver(hook, gocardless("EV2", "EV3", "EV3"));
  expect(mixed.json).toMatchObject({ status: "accepted", eventCount: 3 });
  const first = await bench.db.delivery.findFirstOrThrow({
    where: { hookId: hook.id, eventId: "EV1" },
  });
  const again = await deliver(hook, gocardless("EV1", "EV2"));
  expect(again.json).toMatchObject({ status: "duplicate", originalDeliveryId: first.id });
  const rows = (await rowsOf(hook)).filter(({ status }) => status !== "batch");
  expect(rows.map(({ eventId, status }) => [eventId, status])).toEqual([
    ["EV1", "accepted"],
    ["EV2", "accepted"],
    ["EV2", "duplicate"],
    ["EV3", "accepted"],
    ["EV3", "duplicate"],
    ["EV1", "duplicate"],
    ["EV2", "duplicate"],
  ]);
  expect(await countRuns(bench.db, { hookId: hook.id })).toBe(3);
});

test("all events of a body are stored or none, and a bad one affects no other request", async () => {
  await bench.db.$executeRawUnsafe(`create function refuse_boom() returns trigger language plpgsql as $$
    begin raise exception 'boom' using errcode = '22000'; end $$`);
  await bench.db.$executeRawUnsafe(`create trigger refuse_boom before insert on deliveries for each row
    when (new.event_id = 'BOOM') execute function refuse_boom()`);
  const hook = await addGocardless();
  const other = await addGocardless();
  await Promise.all([addAction(bench.db, hook), addAction(bench.db, other)]);
  const responses = await Promise.all([
    deliver(hook, gocardless("EV1", "BOOM", "EV3")),
    deliver(other, gocardless("EV1", "EV2")),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([503, 200]);
  expect(await rowsOf(hook)).toEqual([]);
  expect(await countDedupeKeys(bench.db, hook.id)).toBe(0);
  expect(await countRuns(bench.db, { hookId: hook.id })).toBe(0);
  await bench.db.$executeRawUnsafe("drop trigger refuse_boom on deliveries");
  expect((await deliver(hook, gocardless("EV1", "BOOM", "EV3"))).json).toMatchObject({
    eventCount: 3,
  });
});

test("fields around the list are copied into each event if the provider's single events have them", async () => {
  const hook = await addHook(bench.db, { provider: "line", signingSecret: secret });
  const event = (id: string) => `{"type":"message","webhookEventId":"${id}"}`;
  await deliver(hook, `{"destination":"U1","events":[${event("01A")},${event("01B")}]}`);
  const events = (await rowsOf(hook)).filter(({ status }) => status === "accepted");
  expect(events.map(textOf)).toEqual(
    ["01A", "01B"].map((id) => `{"destination":"U1","events":[${event(id)}]}`),
  );
});

test("a compressed batch is split, and its events don't claim to be compressed", async () => {
  const hook = await addGocardless();
  await deliver(hook, gzipSync(gocardless("EV1", "EV2")), { "content-encoding": "gzip" });
  const [whole, ...events] = await rowsOf(hook);
  expect(whole?.status).toBe("batch");
  expect(events.map(textOf)).toEqual(["EV1", "EV2"].map(charge));
  for (const { headers } of events)
    expect(JSON.stringify(headers)).not.toMatch(/content-encoding|content-length/i);
});

test("a thousand events fit, and the response has their number and the first hundred ids", async () => {
  const hook = await addGocardless();
  const ids = Array.from({ length: 1_000 }, (_, index) => `EV${index}`);
  const response = await deliver(hook, gocardless(...ids));
  const { eventCount, deliveryIds } = response.json as unknown as {
    eventCount: number;
    deliveryIds: string[];
  };
  expect([response.status, eventCount, deliveryIds.length]).toEqual([200, 1_000, 100]);
  expect(await bench.db.delivery.count({ where: { hookId: hook.id, status: "accepted" } })).toBe(
    1_000,
  );
});

test(
  "a body that isn't a batch, an empty batch, and any batch at " +
    "a hook with splitting disabled is one delivery",
  async () => {
    const hook = await addGocardless();
    const whole = await addGocardless({ splitBatches: false });
    for (const body of ['{"id":"1"}', '{"events":[]}', '{"events":[1,2]}', '{"events":"no"}'])
      expect((await deliver(hook, body)).json.status).toBe("accepted");
    expect((await deliver(whole, gocardless("EV1", "EV2"))).json.status).toBe("accepted");
    for (const row of [...(await rowsOf(hook)), ...(await rowsOf(whole))]) {
      expect(row).toMatchObject({ status: "accepted", batchId: null });
    }
    const patch = hookPatchSchema.parse({ splitBatches: true });
    await updateHook(testContext(bench.db, whole.accountId), { id: whole.id, ...patch });
    // Until the change is heard. Each try has events of its own, so that none is a duplicate.
    let tries = 0;
    const deliverTwo = () => {
      tries += 1;
      return deliver(whole, gocardless(`EV${tries}_1`, `EV${tries}_2`));
    };
    await expect.poll(async () => (await deliverTwo()).json).toMatchObject({ eventCount: 2 });
  },
);

test("an unsigned batch is rejected as a whole", async () => {
  const hook = await addGocardless();
  const response = await send(bench.caught.port, hook.path, { body: gocardless("EV1", "EV2") });
  expect(response.status).toBe(401);
  expect(await rowsOf(hook)).toMatchObject([{ status: "rejected", batchId: null }]);
});

test("a batch stored by a pending hook is split when it is verified", async () => {
  const hook = await addHook(bench.db, { provider: "gocardless", status: "pending" });
  await addAction(bench.db, hook);
  await deliver(hook, gocardless("EV1", "EV2", "EV1"));
  expect(await rowsOf(hook)).toMatchObject([{ status: "pending" }]);
  const patch = hookPatchSchema.parse({ signingSecret: secret });
  await updateHook(testContext(bench.db, hook.accountId), { id: hook.id, ...patch });
  expect(await verifyPending(bench.db, hook.accountId, hook.id, verifyParts)).toEqual({
    accepted: 2,
    duplicate: 1,
    rejected: 0,
    pending: 0,
  });
  expect((await rowsOf(hook)).map(({ status }) => status)).toEqual([
    "batch",
    "accepted",
    "accepted",
    "duplicate",
  ]);
  expect(await countRuns(bench.db, { hookId: hook.id })).toBe(2);
});

test("events that have no identity but their batch's are new once its window is over", async () => {
  const hook = await addHook(bench.db, {
    provider: "attio",
    signingSecret: secret,
    dedupe: { from: "content", withinSeconds: 3_600 },
  });
  const say = async () =>
    (await deliver(hook, '{"webhook_id":"w","events":[{"event_type":"note.created"}]}')).json
      .status;
  expect([await say(), await say()]).toEqual(["accepted", "duplicate"]);
  const keys = Prisma.sql`select id from deliveries where hook_id = ${hook.id}::uuid`;
  await bench.db.$executeRaw`
    update dedupe_keys set created_at = created_at - interval '1 hour' where delivery_id in (${keys})`;
  expect([await say(), await say()]).toEqual(["accepted", "duplicate"]);
});
