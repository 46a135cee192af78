import { expect, it } from "vitest";
import { addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { createCredential } from "#lib/services/credentials.ts";
import { findGap, getGap, takeInGap } from "#lib/services/gaps/gaps.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { workAll, workOnce } from "../testing/work.ts";
import { findGapJob } from "./find-gap.ts";
import { takeInJob } from "./take-in.ts";
import {
  type Happened,
  startFakeChargebee,
  startFakePaddle,
  toChargebeeEvent,
  toPaddleEvent,
} from "./testing/fake-lists.ts";

const { db } = withDatabase();
const newClient = withClients();
const hourMs = 3_600_000;

const providers = [
  {
    provider: "paddle",
    start: startFakePaddle,
    auth: { type: "bearer", token: "pdl_sdbx_apikey_1" },
    toBody: toPaddleEvent,
    // The newest 400, and no page before the time.
    pages: 2,
  },
  {
    provider: "chargebee",
    start: startFakeChargebee,
    auth: { type: "basic", username: "test_key", password: "" },
    toBody: toChargebeeEvent,
    pages: 3,
  },
] as const;

it.each(providers)("$provider: the events of a time, and no others, page by page", async (each) => {
  const nowMs = Date.now();
  const happened: Happened[] = Array.from({ length: 700 }, (_, at) => ({
    id: `evt_${String(at).padStart(6, "0")}`,
    atMs: nowMs - 60_000 - at * 120_000,
  }));
  await using list = await each.start(happened);
  const hook = await addHook(db, {
    provider: each.provider,
    signingSecret: "shop:a-long-password",
  });
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const context = testContext(db, hook.accountId, { variables });
  const saved = { name: "key", origin: list.origin, auth: each.auth };
  const { id: credentialId } = await createCredential(context, saved);
  const { client } = newClient("127.0.0.0/8");
  const options = { db, sealer: testSealer, client, publicOrigin: "https://hooks.example.test" };
  const span = { from: nowMs - 10 * hourMs, to: nowMs - 2 * hourMs };
  const { id: gapId } = await findGap(context, {
    ...{ id: hook.id, credentialId },
    ...{ from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() },
  });
  const find = findGapJob(options, 0);
  // A page waits for the pause that the provider's limits need.
  while ((await db.gap.findUniqueOrThrow({ where: { id: gapId } })).finishedAt === null) {
    await db.$executeRaw`update gaps set next_at = null`;
    await workOnce(find);
  }
  expect(list.requests()).toBe(each.pages);
  const inSpan = happened.filter(
    ({ atMs }) => atMs >= span.from - 1_000 && atMs <= span.to + 1_000,
  );
  expect(await getGap(context, { id: hook.id, gapId })).toMatchObject({
    ...{ status: "found", reason: null, eventCount: inSpan.length, missingCount: inSpan.length },
  });
  await takeInGap(context, { id: hook.id, gapId, run: true });
  await workAll(takeInJob(options));
  const deliveries = await readDeliveries(db, hook);
  expect(deliveries.map(({ eventId }) => eventId)).toEqual(inSpan.map(({ id }) => id).toReversed());
  const [oldest] = inSpan.slice(-1);
  expect(JSON.parse(Buffer.from(deliveries[0]?.body ?? "").toString())).toEqual(
    each.toBody(oldest ?? { id: "", atMs: 0 }),
  );
});
