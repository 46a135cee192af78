import { beforeAll, expect, it } from "vitest";
import { type NewEvent, storeEvents } from "#lib/db/events/store-events.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { endRuns } from "#lib/db/testing/test-runs.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { queueResend, resendEvent } from "./resend-event.ts";

const { db } = withDatabase();
let accountId: string;

beforeAll(async () => {
  accountId = await addAccount(db);
});

async function publish(fields: Parameters<typeof newEvent>[1] = {}, of = accountId) {
  const event = newEvent(of, fields);
  await storeEvents(db, [event]);
  return event;
}

type Resent = Omit<Parameters<typeof resendEvent>[1], "id">;

/** The ids of the new runs. */
async function resend({ id, accountId: of }: NewEvent, input: Resent = {}) {
  const runs = await resendEvent(testContext(db, of), { ...input, id });
  return runs.map((run) => run.id);
}

const openRunsOf = async ({ id }: NewEvent, targetId: string) =>
  (await db.queuedRun.findMany({ where: { eventId: id, targetId }, orderBy: { id: "asc" } })).map(
    (run) => run.id,
  );

it("a resend goes to what matches now, never to another recipient, and twice if asked twice", async () => {
  const event = await publish({ recipient: "cust_1", type: "a.b" });
  const matching = await addSubscription(db, accountId, {
    recipient: "cust_1",
    eventTypes: ["a.*"],
  });
  const other = await addSubscription(db, accountId, { recipient: "cust_1", eventTypes: ["x"] });
  const foreign = await addSubscription(db, accountId, { recipient: "cust_2" });
  const off = await addSubscription(db, accountId, { recipient: "cust_1", status: "disabled" });
  expect(await resend(event)).toHaveLength(1);
  expect(await resend(event)).toHaveLength(1);
  expect(await openRunsOf(event, matching)).toHaveLength(2);
  await resend(event, { subscriptionIds: [other] });
  expect(await openRunsOf(event, other)).toHaveLength(1);
  for (const [subscriptionId, code] of [
    [foreign, "not_found"],
    [off, "conflict"],
    ["x", "not_found"],
  ])
    await expect(
      resend(event, { subscriptionIds: [other, subscriptionId ?? ""] }),
    ).rejects.toMatchObject({ code, errors: [{ path: "subscriptionIds.1" }] });
  const customer = { type: "portal", accountId, recipient: "cust_2", capabilities: [] } as const;
  const ofCustomer = testContext(db, accountId, { actor: customer });
  await expect(queueResend(ofCustomer, event.id, { onlyFailed: false })).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await openRunsOf(event, other)).toHaveLength(1);
});

it("a resend of what failed leaves those alone whose newest send succeeded or waits", async () => {
  const of = await addAccount(db);
  const [bad, good, fixed] = [
    await addSubscription(db, of),
    await addSubscription(db, of),
    await addSubscription(db, of),
  ];
  const event = await publish({}, of);
  await endRuns(db, [...(await openRunsOf(event, bad)), ...(await openRunsOf(event, fixed))]);
  await endRuns(db, await openRunsOf(event, good), { state: "succeeded" });
  const again = await resend(event, { subscriptionIds: [fixed], onlyFailed: true });
  expect(again).toEqual(await openRunsOf(event, fixed));
  const runs = await resend(event, { onlyFailed: true });
  expect(runs).toEqual(await openRunsOf(event, bad));
});

it("an ordered subscription gets a resend after what waits", async () => {
  const of = await addAccount(db);
  const target = await addSubscription(db, of, { ordered: true });
  const [first] = [await publish({}, of), await publish({}, of)];
  await resend(first);
  const rows = await db.queuedRun.findMany({ where: { targetId: target }, orderBy: { id: "asc" } });
  expect(rows.map(({ position }) => Number(position))).toEqual([1, 2, 3]);
});
