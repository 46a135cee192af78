import { beforeEach, expect, it } from "vitest";
import { openSecrets } from "#lib/core/verify/hook/hook-secrets.ts";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { rotateHookSecret } from "#lib/services/hooks/hook-secrets.ts";
import { workOnce } from "../testing/work.ts";
import { startFakeGraph } from "./testing/fake-graph.ts";
import { startFakeAirtable } from "./testing/fake-replaced.ts";
import type { FakeProvider } from "./testing/fake-webhooks.ts";
import { airtable, graph } from "./testing/more-examples.ts";
import { setUpRegistration } from "./testing/set-up.ts";

const { db } = withDatabase();
const newClient = withClients();
beforeEach(() => db.registration.deleteMany());

const minuteMs = 60_000;
const dayMs = 86_400_000;

async function setUp() {
  const fake = await startFakeGraph(Date.now());
  const set = await setUpRegistration(db, newClient, fake, graph);
  /** Looks after so many minutes, which pass for the server too. */
  const pass = (minutes: number) => {
    fake.nowMs = set.clock.ms + minutes * minuteMs;
    return set.look(minutes);
  };
  fake.nowMs = set.clock.ms;
  return { ...set, fake, pass };
}

it("is renewed at two thirds of its life, by the same subscription", async () => {
  const { fake, register, pass } = await setUp();
  await using _ = fake;
  await register();
  expect(await pass(0)).toMatchObject({ status: "registered" });
  const [id] = fake.webhooks.map((each) => each.id);
  const { expiresAt } = (await pass(5)) ?? {};
  const endMs = fake.ends.get(id ?? "") ?? 0;
  expect(expiresAt?.getTime()).toBe(endMs);
  const changes = () => fake.requests.filter((request) => !request.startsWith("GET"));
  const before = changes().length;
  await pass(4 * 24 * 60);
  expect(changes()).toHaveLength(before);
  await pass(24 * 60);
  expect(changes().slice(before)).toEqual([`PATCH /v1.0/subscriptions/${id}`]);
  expect(fake.ends.get(id ?? "")).toBeGreaterThan(endMs + 4 * dayMs);
});

it("is renewed at once when Microsoft asks for it, and made again when it was lost", async () => {
  const { fake, hook, register, pass } = await setUp();
  await using _ = fake;
  await register();
  await pass(0);
  await pass(5);
  const asked = { ...newDelivery(hook), eventType: "reauthorizationRequired" };
  await storeDeliveries(db, [asked]);
  await db.registration.updateMany({ data: { checkedAt: new Date(Date.now() - minuteMs) } });
  const before = fake.requests.length;
  await pass(5);
  expect(fake.requests.slice(before).filter((request) => request.startsWith("PATCH"))).toHaveLength(
    1,
  );
  fake.webhooks.splice(0);
  expect(await pass(5)).toMatchObject({ status: "registered", reason: null });
  expect(fake.webhooks).toHaveLength(1);
});

it("what Microsoft left out is one problem, until a person resolves it", async () => {
  const { fake, hook, register, pass, problems } = await setUp();
  await using _ = fake;
  await register();
  await pass(0);
  await pass(5);
  expect(await problems()).toEqual([]);
  await storeDeliveries(db, [{ ...newDelivery(hook), eventType: "missed" }]);
  await db.registration.updateMany({ data: { checkedAt: new Date(Date.now() - minuteMs) } });
  await pass(5);
  await pass(5);
  expect(await problems()).toMatchObject([
    {
      ...{ kind: "missing_events", state: "open", hookId: hook.id },
      details: { missing: null, message: expect.stringMatching(/Microsoft Graph .* delta query/) },
    },
  ]);
  expect(await pass(5)).toMatchObject({ status: "registered", reason: null });
});

it("other types and another secret make another subscription, and end the one before", async () => {
  const { fake, hook, context, register, pass } = await setUp();
  await using _ = fake;
  await register();
  await pass(0);
  const [first] = fake.webhooks;
  await register({ eventTypes: ["created", "deleted"] });
  await pass(0);
  expect(fake.webhooks).toMatchObject([{ eventTypes: ["created", "deleted"] }]);
  expect(fake.webhooks[0]?.id).not.toBe(first?.id);
  await rotateHookSecret(context, { id: hook.id, secret: "another clientState" });
  await pass(0);
  expect(fake.webhooks).toMatchObject([{ secret: "another clientState" }]);
  // It is still ours.
  expect(await pass(5)).toMatchObject({ status: "registered", isAdopted: false });
  expect(fake.webhooks).toHaveLength(1);
});

/** The same numbers each time, of good quality: https://en.wikipedia.org/wiki/Xorshift */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

it("30 days of expiry, 404, 429, 503, outages, and lost subscriptions: never unregistered longer than the server", {
  tags: "variant",
  timeout: 900_000,
}, async () => {
  const { fake, register, clock, job } = await setUp();
  await using _ = fake;
  const random = createRandom(38);
  await register();
  await workOnce(job);
  const endMs = clock.ms + 30 * dayMs;
  const stepMinutes = 2;
  const counts = {
    lost: 0,
    outages: 0,
    rejections: 0,
    renewals: 0,
    byExpiry: 0,
    maxMinutes: 0,
    most: 1,
  };
  let outageUntilMs = 0;
  /** When the server last lost it, or was out of order. Until it is registered again, that is the server's doing. */
  let excusedSinceMs: number | null = null;
  while (clock.ms < endMs) {
    clock.ms += stepMinutes * minuteMs;
    fake.nowMs = clock.ms;
    if (clock.ms >= outageUntilMs && random() < stepMinutes / (4 * 1_440)) {
      // Up to two days: longer than a third of a life, at times.
      outageUntilMs = clock.ms + random() * 2 * dayMs;
      counts.outages += 1;
    }
    if (fake.webhooks.length > 0 && random() < stepMinutes / (5 * 1_440)) {
      fake.webhooks.splice(0);
      counts.lost += 1;
      excusedSinceMs = clock.ms;
    }
    if (clock.ms < outageUntilMs) excusedSinceMs = clock.ms;
    fake.failures = rejectAtTimes(clock.ms < outageUntilMs, random);
    if (fake.failures.length === 1) counts.rejections += 1;
    await workOnce(job);
    fake.expire();
    counts.most = Math.max(counts.most, fake.webhooks.length);
    if (fake.webhooks.length > 0) {
      if (clock.ms >= outageUntilMs) excusedSinceMs = null;
    } else if (excusedSinceMs === null) counts.byExpiry += stepMinutes;
    else {
      const minutes = (clock.ms - excusedSinceMs) / minuteMs + stepMinutes;
      counts.maxMinutes = Math.max(counts.maxMinutes, minutes);
    }
  }
  counts.renewals = fake.requests.filter((request) => request.startsWith("PATCH")).length;
  process.stdout.write(`30 days of Microsoft Graph: ${JSON.stringify(counts)}\n`);
  expect(Math.min(counts.lost, counts.outages, counts.renewals)).toBeGreaterThan(1);
  // Unregistered without the server's doing: never. Otherwise until the next look, and the one after if it is rejected.
  expect(counts).toMatchObject({ byExpiry: 0, most: 1 });
  expect(counts.maxMinutes).toBeLessThanOrEqual(10);
});

/** An outage rejects everything. Otherwise one request in ten is rejected. */
function rejectAtTimes(isOut: boolean, random: () => number): FakeProvider["failures"] {
  if (isOut) return Array.from({ length: 3 }, () => ({ status: 503, body: {} }));
  const status = [404, 429, 503][Math.floor(random() * 3)] ?? 503;
  const headers = status === 429 ? { "retry-after": "60" } : {};
  return random() < 0.1 ? [{ status, body: {}, headers }] : [];
}

it("Airtable: is refreshed before its week is over, and made again when it was lost", async () => {
  const startMs = Date.now();
  await using fake = await startFakeAirtable(startMs);
  const set = await setUpRegistration(db, newClient, fake, airtable);
  await set.register();
  for (let day = 0; day < 30; day += 0.5) {
    fake.clock.nowMs = set.clock.ms + dayMs / 2;
    expect(await set.look(12 * 60)).toMatchObject({ status: "registered", reason: null });
    expect(fake.webhooks).toHaveLength(1);
  }
  expect(await set.secrets()).toHaveLength(1);
  fake.clock.nowMs += 8 * dayMs;
  expect(await set.look(8 * 24 * 60)).toMatchObject({ status: "registered" });
  const known = openSecrets(set.hook.accountId, await set.secrets(), testSealer);
  expect(fake.webhooks.map(({ secret }) => known.includes(secret ?? ""))).toEqual([true]);
});
