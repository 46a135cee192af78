import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { toDedupeKey } from "#lib/core/verify/dedupe/dedupe-key.ts";
import { hashEventId } from "#lib/core/verify/dedupe/identify-event.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { searchAccount } from "./search-account.ts";

const { db } = withDatabase();

type Tenant = {
  accountId: string;
  hookId: string;
  actionId: string;
  deliveryId: string;
  runId: string;
};
let acme: Tenant;
let other: Tenant;

beforeAll(async () => {
  acme = await makeTenant("acme");
  other = await makeTenant("other");
});

/** Creates a tenant. Both have the same names and the same event, so that any leak shows. */
async function makeTenant(slug: string): Promise<Tenant> {
  const [accountId, hookId, actionId, deliveryId, runId] = [
    newId(),
    newId(),
    newId(),
    newId(),
    newId(),
  ];
  await db.account.create({ data: { id: accountId, slug, name: slug } });
  const dedupe = { from: "body", path: "id" } as const;
  const hook = { accountId, provider: "generic", methods: ["POST"], dedupe };
  await db.hook.create({
    data: { ...hook, id: hookId, key: `key${hookId}`, name: "Shop 100% orders" },
  });
  await db.hook.create({
    data: {
      ...hook,
      id: newId(),
      key: `key${newId()}`,
      name: "Shop that is gone",
      deletedAt: new Date(),
    },
  });
  await db.action.create({
    data: { id: actionId, accountId, hookId, name: "To the CRM", request: {}, timeoutMs: 1000 },
  });
  await db.delivery.create({
    data: {
      id: deliveryId,
      accountId,
      hookId,
      status: "accepted",
      receivedAt: new Date(),
      method: "POST",
      path: "",
      query: "",
      headers: [],
      bodySize: 2,
      body: Buffer.from("{}"),
      eventId: "evt_1",
      eventType: "order.paid",
      verificationOutcome: "not_configured",
      sourceIp: "127.0.0.1",
    },
  });
  const [keyHash] = hashEventId("evt_1", [dedupe]);
  if (keyHash === undefined) throw new Error("no hash");
  await db.dedupeKey.create({ data: { key: toDedupeKey(hookId, keyHash), deliveryId } });
  await addRun(db, {
    id: runId,
    accountId,
    targetId: actionId,
    hookId,
    deliveryId,
    state: "failed",
  });
  return { accountId, hookId, actionId, deliveryId, runId };
}

async function idsFor(text: string, { accountId } = acme): Promise<string[]> {
  return (await searchAccount(db, accountId, text)).map(({ id }) => id);
}

it("finds a hook and an action by part of their name, in any letter case", async () => {
  expect(await idsFor("ORDERS")).toEqual([acme.hookId]);
  expect(await idsFor("crm")).toEqual([acme.actionId]);
});

it("treats wildcards as ordinary characters", async () => {
  expect(await idsFor("100% o")).toEqual([acme.hookId]);
  for (const text of ["%", "_", "\\", "100%%"]) {
    expect(await idsFor(text)).toEqual(text === "%" ? [acme.hookId] : []);
  }
});

it("doesn't find a deleted hook", async () => {
  expect(await idsFor("gone")).toEqual([]);
});

it("finds a delivery by its whole event id", async () => {
  expect(await idsFor("evt_1")).toEqual([acme.deliveryId]);
  expect(await idsFor("evt_")).toEqual([]);
});

it("finds what is sent, and only in its own account", async () => {
  const { accountId } = acme;
  const subscription = { accountId, receiverUrl: "https://ledger.test/in", eventTypes: ["*"] };
  const [id, gone] = [newId(), newId()];
  await db.subscription.create({ data: { ...subscription, id, description: "Books" } });
  await db.subscription.create({ data: { ...subscription, id: gone, deletedAt: new Date() } });
  await db.recipient.create({ data: { accountId, id: "cust_42", name: "Initech" } });
  await db.eventType.create({ data: { accountId, name: "ledger.closed" } });
  expect(await idsFor("LEDGER")).toEqual(["ledger.closed", id]);
  expect(await idsFor("books")).toEqual([id]);
  expect(await idsFor(id)).toEqual([id]);
  for (const text of ["t_42", "initech"]) expect(await idsFor(text)).toEqual(["cust_42"]);
  for (const text of ["ledger", "cust_42", id]) expect(await idsFor(text, other)).toEqual([]);
});

it("finds anything by its id, in its own account only", async () => {
  for (const id of [acme.hookId, acme.actionId, acme.deliveryId, acme.runId]) {
    expect(await idsFor(id)).toEqual([id]);
    expect(await idsFor(id.toUpperCase())).toEqual([id]);
    expect(await idsFor(id, other)).toEqual([]);
  }
});
