import { expect, it } from "vitest";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { findAcceptingHook } from "#lib/db/hooks/evaluation-hook.ts";
import { addAction, addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { createCredential } from "#lib/services/credentials.ts";
import { getGapSchedule, putGapSchedule } from "#lib/services/gaps/gap-schedules.ts";
import { listGaps } from "#lib/services/gaps/gaps.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { workAll } from "../testing/work.ts";
import { createFetchedEvaluation } from "./evaluate-fetched.ts";
import { findGapJob } from "./find-gap.ts";
import { scheduleGapsJobs } from "./schedule-gaps.ts";
import { takeInJob } from "./take-in.ts";
import { type StripeEvent, startFakeStripe, toStripeEvent } from "./testing/fake-stripe.ts";

const { db } = withDatabase();
const newClient = withClients();

async function setUp(events: StripeEvent[]) {
  const stripe = await startFakeStripe(events);
  const hook = await addHook(db, { provider: "stripe", signingSecret: "whsec_test" });
  await addAction(db, hook);
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const context = testContext(db, hook.accountId, { variables });
  const auth = { type: "bearer" as const, token: "rk_test_reader" };
  const saved = { name: "Stripe reader", origin: stripe.origin, auth };
  const { id: credentialId } = await createCredential(context, saved);
  const { client } = newClient("127.0.0.0/8");
  const options = { db, sealer: testSealer, client, publicOrigin: "https://hooks.example.test" };
  const [begin, follow] = scheduleGapsJobs({ db, retentionDays: 0 });
  if (begin === undefined || follow === undefined) throw new Error("There are two jobs");
  const find = findGapJob(options, 0);
  return {
    ...{ stripe, hook, context, credentialId },
    /** As if this many hours had passed. */
    async turn(hours = 0): Promise<void> {
      await db.$executeRaw`update gap_schedules set next_at = next_at - ${hours}::int * interval '1 hour'`;
      await workAll(begin);
      await workAll(find);
      await workAll(follow);
      await workAll(takeInJob(options));
    },
    async receive(arrived: readonly StripeEvent[]): Promise<void> {
      const stored = await findAcceptingHook(db, hook.accountId, hook.id);
      if (stored === null) throw new Error("The hook is gone");
      const parts = { sealer: testSealer, createEventCheck: () => async () => [] };
      const evaluate = await createFetchedEvaluation(db, stored, parts);
      for (const event of arrived) {
        const body = Buffer.from(JSON.stringify(toStripeEvent(event)));
        const delivery = await evaluate({ body, host: "127.0.0.1" });
        if (delivery !== null) await storeDeliveries(db, [delivery]);
      }
    },
    searches: async () => (await listGaps(context, { id: hook.id })).items.toReversed(),
    problems: () => db.problem.findMany({ where: { accountId: hook.accountId } }),
    ids: async () =>
      (await readDeliveries(db, hook)).map(({ eventId }) => String(eventId)).toSorted(),
  };
}

const now = () => Math.floor(Date.now() / 1_000);

function addEvents(): StripeEvent[] {
  return ["a", "b", "c", "d"].map((letter, at) => ({
    id: `evt_1Test${letter.repeat(16)}`,
    created: now() - 600 - at,
    type: letter === "d" ? "invoice.created" : "invoice.paid",
  }));
}

it("searches by itself, overlaps by an hour, and says what never arrived until it is here", async () => {
  const events = addEvents();
  const place = await setUp(events);
  await using _ = place.stripe;
  const { context, hook, credentialId, receive, turn, searches, problems } = place;
  await receive(events.slice(0, 1));
  const every = { id: hook.id, every: "hour", takeIn: "none", credentialId } as const;
  await putGapSchedule(context, every);
  await turn();
  const [first] = await searches();
  expect(first).toMatchObject({ status: "found", missingCount: 3, askedBy: "the schedule" });
  // invoice.created never came to this hook, so perhaps it isn't sent here.
  expect(await problems()).toMatchObject([
    { kind: "missing_events", state: "open", details: { missing: 2 } },
  ]);
  await turn();
  expect(await searches()).toHaveLength(1);
  await turn(1);
  const [, second] = await searches();
  expect((first?.toAt.getTime() ?? 0) - (second?.fromAt.getTime() ?? 0)).toBe(3_600_000);
  expect(await problems()).toMatchObject([{ state: "open", details: { missing: 2 } }]);
  await receive(events.slice(1, 3));
  await turn(1);
  expect(await problems()).toMatchObject([{ state: "resolved", resolution: "recovered" }]);
  await putGapSchedule(context, { id: hook.id, every: "off" });
  expect(await getGapSchedule(context, { id: hook.id })).toMatchObject({ every: "off" });
  await turn(2);
  expect(await searches()).toHaveLength(3);
});

it("takes in by itself what is missing, of the types that the hook gets, once", async () => {
  const events = addEvents();
  const place = await setUp(events);
  await using _ = place.stripe;
  const { context, hook, credentialId, receive, turn, problems, ids } = place;
  await receive(events.slice(0, 1));
  const every = { id: hook.id, every: "day", takeIn: "run", credentialId } as const;
  await putGapSchedule(context, every);
  await turn();
  await turn(24);
  expect(await ids()).toEqual(events.slice(0, 3).map(({ id }) => id));
  expect(await problems()).toEqual([]);
  const queued = await db.$queryRaw<
    unknown[]
  >`select id from queue where hook_id = ${hook.id}::uuid`;
  expect(queued).toHaveLength(3);
});

it("opens one problem if the provider doesn't let it, and searches the same time again", async () => {
  const place = await setUp(addEvents());
  await using _ = place.stripe;
  const { context, hook, credentialId, turn, problems, searches } = place;
  await putGapSchedule(context, { id: hook.id, every: "hour", takeIn: "store", credentialId });
  place.stripe.keys = [];
  await turn();
  await turn(1);
  const [first, second] = await searches();
  expect([first?.status, second?.status]).toEqual(["failed", "failed"]);
  expect(await problems()).toMatchObject([
    {
      ...{ kind: "missing_events", state: "open" },
      details: { missing: null, message: expect.stringContaining("(401)") },
    },
  ]);
  await db.credential.delete({ where: { id: credentialId } });
  await turn(1);
  const [problem] = await problems();
  expect(problem?.details).toMatchObject({ message: expect.stringContaining("was deleted") });
  expect(await searches()).toHaveLength(2);
});
