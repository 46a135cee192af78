import { beforeAll, expect, it } from "vitest";
import { listRuns, listRunsOfEvent } from "#lib/db/runs/list-runs.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";
import { cancelRun, retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { findEventId, getEvent } from "./events.ts";
import { listEvents } from "./list-events.ts";
import { storeEvents } from "./store-events.ts";

const { db } = withDatabase();
let accountId: string;
let otherAccountId: string;

beforeAll(async () => {
  accountId = await addAccount(db);
  otherAccountId = await addAccount(db);
});

async function publish(fields: Parameters<typeof newEvent>[1] = {}, of = accountId) {
  const event = newEvent(of, fields);
  await storeEvents(db, [event]);
  return event;
}

it("an event is found by the id that its publisher gave, and by its internal one", async () => {
  const given = await publish({ publicId: "evt_1", recipient: "cust_1" });
  const made = await publish();
  const foreign = await publish({ publicId: "evt_1" }, otherAccountId);
  for (const id of ["evt_1", given.id])
    expect(await getEvent(db, accountId, id)).toMatchObject({ id: "evt_1", internalId: given.id });
  expect(await getEvent(db, accountId, made.id)).toMatchObject({ id: made.id });
  expect(Buffer.from((await getEvent(db, accountId, "evt_1")).body).toString()).toBe(given.body);
  expect(await findEventId(db, otherAccountId, "evt_1")).toBe(foreign.id);
  for (const [of, id, scope] of [
    [accountId, foreign.id, {}],
    [accountId, "evt_2", {}],
    [accountId, "a.b", {}],
    [accountId, "evt_1", { recipient: "cust_2" }],
    [accountId, made.id, { recipient: "cust_1" }],
  ] as const)
    await expect(getEvent(db, of, id, scope)).rejects.toMatchObject({ code: "not_found" });
});

it("a list filters by type, recipient, time, and text, and pages", async () => {
  const of = await addAccount(db);
  const names = new Map<string, string>();
  for (const [name, fields] of Object.entries({
    a: { type: "invoice.paid" },
    b: { type: "invoice.paid", recipient: "r" },
    c: { type: "order.created", recipient: "r", dataJson: '{"city":"Ålesund"}' },
    d: { type: "order.created", recipient: "s" },
  }))
    names.set((await publish(fields, of)).id, name);
  const list = async (filter: object, limit = 10, cursor?: string) => {
    const page = await listEvents(db, of, filter, { limit, cursor });
    return [
      page.items.map(({ internalId }) => names.get(internalId)).join(""),
      page.nextCursor,
    ] as const;
  };
  expect(await list({})).toEqual(["dcba", null]);
  expect(await list({ type: "invoice.paid" })).toEqual(["ba", null]);
  expect(await list({ recipient: "r" })).toEqual(["cb", null]);
  expect(await list({ recipient: "r", type: "order.created" })).toEqual(["c", null]);
  expect(await list({ q: "Ålesund" })).toEqual(["c", null]);
  expect(await list({ to: 1_000 })).toEqual(["", null]);
  for (const filter of [{}, { q: "DATA" }]) {
    const [first, cursor] = await list(filter, 3);
    expect([first, await list(filter, 3, cursor ?? undefined)]).toEqual(["dcb", ["a", null]]);
  }
});

it("the runs of an event are its sends: held while the subscription isn't active, and gone with it", async () => {
  const of = await addAccount(db);
  const target = await addSubscription(db, of, { recipient: "cust_1" });
  const event = await publish({ publicId: "evt_9", recipient: "cust_1" }, of);
  const runs = () => listRunsOfEvent(db, of, event.id);
  expect(await runs()).toMatchObject([
    {
      status: "queued",
      subscriptionId: target,
      eventId: "evt_9",
      actionId: null,
      deliveryId: null,
    },
  ]);
  await db.subscription.update({ where: { id: target }, data: { status: "disabled" } });
  expect(await runs()).toMatchObject([{ status: "held" }]);
  const listed = async (filter: object) =>
    (await listRuns(db, of, filter, { limit: 9 })).items.length;
  expect([await listed({ status: "held" }), await listed({ status: "queued" })]).toEqual([1, 0]);
  const [run] = await runs();
  const id = run?.id ?? "";
  expect([await listed({ recipient: "cust_1" }), await listed({ recipient: "cust_2" })]).toEqual([
    1, 0,
  ]);
  for (const [account, scope] of [
    [otherAccountId, {}],
    [of, { recipient: "cust_2" }],
  ] as const)
    await expect(getRun(db, account, id, scope)).rejects.toMatchObject({ code: "not_found" });
  const capabilities = [...portalCapabilities];
  const portal = { type: "portal", accountId: of, recipient: "cust_1", capabilities } as const;
  for (const change of [retryRun, cancelRun]) {
    const otherAccount = testContext(db, otherAccountId);
    await expect(change(otherAccount, { id })).rejects.toMatchObject({ code: "not_found" });
    const ofPortal = testContext(db, of, { actor: portal });
    await expect(change(ofPortal, { id })).rejects.toMatchObject({ code: "forbidden" });
  }
  expect((await cancelRun(testContext(db, of), { id })).status).toBe("cancelled");
  expect((await retryRun(testContext(db, of), { id })).status).toBe("held");
  const [{ bodySize } = { bodySize: 0 }] = await db.queuedRun.findMany({ where: { id } });
  expect(bodySize).toBe(Buffer.byteLength(event.body));
  await db.subscription.update({ where: { id: target }, data: { deletedAt: new Date() } });
  expect(await runs()).toEqual([]);
  await expect(getRun(db, of, id)).rejects.toMatchObject({ code: "not_found" });
  expect(await listed({})).toBe(0);
});
