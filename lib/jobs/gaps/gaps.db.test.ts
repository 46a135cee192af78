import { describe, expect, it } from "vitest";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { findAcceptingHook } from "#lib/db/hooks/evaluation-hook.ts";
import { addAction, addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { createCredential } from "#lib/services/credentials.ts";
import { getDelivery } from "#lib/services/deliveries/read-deliveries.ts";
import { cancelGap, findGap, getGap, takeInGap } from "#lib/services/gaps/gaps.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { workAll, workOnce } from "../testing/work.ts";
import { createFetchedEvaluation } from "./evaluate-fetched.ts";
import { findGapJob } from "./find-gap.ts";
import { takeInJob } from "./take-in.ts";
import {
  type FakeStripe,
  type StripeEvent,
  startFakeStripe,
  toStripeEvent,
} from "./testing/fake-stripe.ts";

const { db } = withDatabase();
const newClient = withClients();
const cidrs = "127.0.0.0/8";
const nowSeconds = () => Math.floor(Date.now() / 1_000);

function addEvents(count: number, ageSeconds = 7_200): StripeEvent[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `evt_1Test${String(at).padStart(16, "0")}`,
    created: nowSeconds() - ageSeconds - at,
    type: at % 2 === 0 ? "invoice.paid" : "invoice.created",
  }));
}

async function setUp(stripe: FakeStripe, token = "rk_test_reader") {
  const hook = await addHook(db, {
    provider: "stripe",
    signingSecret: "whsec_0123456789abcdef0123",
  });
  await addAction(db, hook);
  const variables = { CATCHMENT_EGRESS_ALLOW: cidrs };
  const context = testContext(db, hook.accountId, { variables });
  const auth = { type: "bearer" as const, token };
  const saved = { name: "Stripe key", origin: stripe.origin, auth };
  const { id: credentialId } = await createCredential(context, saved);
  const { client } = newClient(cidrs);
  const options = { db, sealer: testSealer, client, publicOrigin: "https://hooks.example.test" };
  const from = new Date(Date.now() - 86_400_000).toISOString();
  const start = async (more = {}) =>
    (await findGap(context, { id: hook.id, from, credentialId, ...more })).id;
  const find = findGapJob(options, 0);
  const takeIn = takeInJob(options);
  const read = (gapId: string) => getGap(context, { id: hook.id, gapId });
  return { hook, context, start, find, takeIn, read };
}

/** Stores events as a webhook of them would. */
async function receive(hook: TestHook, events: readonly StripeEvent[]) {
  const accepting = await findAcceptingHook(db, hook.accountId, hook.id);
  if (accepting === null) throw new Error("The hook is gone");
  const parts = { sealer: testSealer, createEventCheck: () => async () => [] };
  const evaluate = await createFetchedEvaluation(db, accepting, parts);
  const made = await Promise.all(
    events.map((event) =>
      evaluate({ body: Buffer.from(JSON.stringify(toStripeEvent(event))), host: "" }),
    ),
  );
  const deliveries = made.flatMap((delivery) => delivery ?? []);
  return await storeDeliveries(
    db,
    deliveries.map((delivery) => ({ ...delivery, verificationScheme: "stripe" })),
  );
}

const idsOf = async (hook: TestHook, status: string) =>
  (await readDeliveries(db, hook)).flatMap((row) => (row.status === status ? [row.eventId] : []));

async function countQueued({ id }: TestHook): Promise<number> {
  const rows = await db.$queryRaw<unknown[]>`select 1 from queue where hook_id = ${id}::uuid`;
  return rows.length;
}

describe("a search for missing events", () => {
  it("says what never arrived, page by page, and takes nothing in", async () => {
    const events = addEvents(250);
    await using stripe = await startFakeStripe(events);
    const { hook, start, find, read } = await setUp(stripe);
    await receive(
      hook,
      events.filter((_, at) => at % 50 !== 0),
    );
    const id = await start();
    expect(await read(id)).toMatchObject({ status: "asking", eventCount: 0 });
    await workAll(find);
    // Three pages, and the last hour a second time.
    expect(stripe.requests()).toBe(4);
    expect(await read(id)).toMatchObject({
      ...{ status: "found", eventCount: 250, missingCount: 5, takenCount: 0, reason: null },
      types: [
        { eventType: "invoice.paid", eventCount: 125, missingCount: 5 },
        { eventType: "invoice.created", eventCount: 125, missingCount: 0 },
      ],
    });
    expect(await readDeliveries(db, hook)).toHaveLength(245);
  });

  it("reads the last hour again, because a list has the newest events late", async () => {
    const [first, late] = addEvents(2, 60);
    if (first === undefined || late === undefined) throw new Error("There are two");
    await using stripe = await startFakeStripe([first, { ...late, listedFrom: 2 }]);
    const { start, find, read } = await setUp(stripe);
    const id = await start();
    await workAll(find);
    expect(stripe.requests()).toBe(2);
    expect(await read(id)).toMatchObject({ status: "found", eventCount: 2, missingCount: 2 });
  });

  it.each([
    [
      "a wrong credential",
      "rk_test_wrong",
      /^Stripe doesn't accept the credential “Stripe key” \(401\)\./,
    ],
    [
      "a revoked right",
      "rk_test_other",
      /^Stripe doesn't let the credential “Stripe key” read events \(403\)\./,
    ],
  ])("ends with one sentence for %s", async (_what, token, sentence) => {
    await using stripe = await startFakeStripe(addEvents(1));
    const { start, find, read } = await setUp(stripe, token);
    const id = await start();
    await workAll(find);
    const gap = await read(id);
    expect(gap).toMatchObject({ status: "failed", eventCount: 0 });
    expect(gap.reason).toMatch(sentence);
    expect(stripe.requests()).toBe(1);
  });

  it("waits as long as the provider asks, and goes on where it was", async () => {
    await using stripe = await startFakeStripe(addEvents(150));
    const { start, find, read } = await setUp(stripe);
    const id = await start();
    await workOnce(find);
    stripe.limited = { left: 1, retryAfter: "120" };
    await workOnce(find);
    const { nextAt, reason } = await db.gap.findUniqueOrThrow({ where: { id } });
    expect(reason).toBe("Stripe limits how often it may be asked (429).");
    expect((nextAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(110_000);
    expect(await workOnce(find)).toBe(false);
    await db.$executeRaw`update gaps set next_at = null`;
    await workAll(find);
    expect(await read(id)).toMatchObject({ status: "found", eventCount: 150, reason: null });
    expect(stripe.requests()).toBe(4);
  });

  it("ends with one sentence in a storm of 429", async () => {
    await using stripe = await startFakeStripe(addEvents(1));
    stripe.limited = { left: 1_000, retryAfter: null };
    const { start, find, read } = await setUp(stripe);
    const id = await start();
    for (let at = 0; at < 20; at += 1) {
      await db.$executeRaw`update gaps set next_at = null where finished_at is null`;
      await workOnce(find);
    }
    expect((await read(id)).reason).toBe(
      "Stripe limits how often it may be asked (429). It was asked 15 times. Search again later.",
    );
    expect(stripe.requests()).toBe(15);
  });

  it("is made over after its worker was killed, and another one has it by then", async () => {
    await using stripe = await startFakeStripe(addEvents(150));
    const { start, find, read } = await setUp(stripe);
    const id = await start();
    let other: Promise<unknown> = Promise.resolve();
    stripe.onRequest = async (request) => {
      if (request !== 1) return;
      // As after the lease of a worker that stands still.
      await db.$executeRaw`update gaps set leased_until = now() - interval '1 s'`;
      other = workAll(find);
      await other;
    };
    await workOnce(find);
    await other;
    expect(await read(id)).toMatchObject({ status: "found", eventCount: 150, missingCount: 150 });
  });

  it("rejects what can't be compared, and can be canceled", async () => {
    await using stripe = await startFakeStripe([]);
    const { hook, context, start, find, read } = await setUp(stripe);
    const id = await start();
    await expect(start()).rejects.toMatchObject({ code: "conflict" });
    await cancelGap(context, { id: hook.id, gapId: id });
    expect(await workOnce(find)).toBe(false);
    expect(await read(id)).toMatchObject({ status: "cancelled" });
    await db.hook.update({ where: { id: hook.id }, data: { dedupe: { from: "content" } } });
    await expect(start()).rejects.toThrow(/rule of its own/);
  });
});

describe("taking in", () => {
  it("stores what is missing once, whenever its webhook arrives", async () => {
    const events = addEvents(6);
    await using stripe = await startFakeStripe(events);
    const { hook, context, start, find, takeIn, read } = await setUp(stripe);
    const gapId = await start();
    await workAll(find);
    await receive(hook, events.slice(0, 2));
    await takeInGap(context, { id: hook.id, gapId, run: true });
    await workAll(takeIn);
    await receive(hook, events.slice(3));
    expect(await read(gapId)).toMatchObject({ missingCount: 6, takenCount: 4, repeatedCount: 2 });
    expect((await idsOf(hook, "accepted")).toSorted()).toEqual(events.map(({ id }) => id));
    expect(await idsOf(hook, "duplicate")).toHaveLength(3);
    expect(await countQueued(hook)).toBe(6);
    const fetched = await db.delivery.findMany({ where: { verificationScheme: "fetched" } });
    expect(fetched).toHaveLength(4);
    expect(fetched[0]).toMatchObject({ verificationOutcome: "verified", method: "POST" });
    const happened = events.find((event) => event.id === fetched[0]?.eventId)?.created ?? 0;
    expect(await getDelivery(context, { id: fetched[0]?.id ?? "" })).toMatchObject({
      fetched: { gapId, provider: "stripe", occurredAt: new Date(happened * 1_000) },
    });
    expect(await db.gapEvent.count({ where: { gapId, body: { not: null } } })).toBe(0);
    await expect(takeInGap(context, { id: hook.id, gapId, run: true })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("runs no action if asked to, keeps to the chosen types, and to a pace", async () => {
    const events = addEvents(6);
    await using stripe = await startFakeStripe(events);
    const { hook, context, start, find, takeIn, read } = await setUp(stripe);
    const gapId = await start();
    await workAll(find);
    const eventTypes = ["invoice.paid"];
    const { id } = await takeInGap(context, {
      ...{ id: hook.id, gapId, run: false, eventTypes, ratePerMinute: 60 },
    });
    expect([await workOnce(takeIn), await workOnce(takeIn)]).toEqual([true, false]);
    expect(await read(gapId)).toMatchObject({ takenCount: 1 });
    for (let at = 0; at < 5; at += 1) {
      await db.$executeRaw`update bulk_jobs set next_at = null where id = ${id}::uuid`;
      await workOnce(takeIn);
    }
    expect(await read(gapId)).toMatchObject({ takenCount: 3 });
    expect(await db.bulkJob.findUnique({ where: { id } })).toMatchObject({ status: "finished" });
    expect(await countQueued(hook)).toBe(0);
    expect(await idsOf(hook, "accepted")).toHaveLength(3);
  });
});
