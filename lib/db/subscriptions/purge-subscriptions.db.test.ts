import { expect, it } from "vitest";
import { addRun, readRuns } from "#lib/db/testing/test-runs.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { purgeDeletedSubscriptions } from "./purge-subscriptions.ts";

const { db } = withDatabase();

it("what is left of a deleted subscription is removed once none of its runs is open", async () => {
  const accountId = await addAccount(db);
  const deletedAt = new Date(Date.now() - 7_200_000);
  const id = await addSubscription(db, accountId, { deletedAt });
  const kept = await addSubscription(db, accountId);
  const run = await addRun(db, { accountId, targetId: id, state: "queued" });
  await db.$executeRaw`
    update queue set lease_id = gen_random_uuid(), leased_until = now() + interval '1 h', worker_id = 1
    where id = ${run}::uuid`;
  const left = async () => (await db.subscription.findMany({ where: { accountId } })).length;
  await purgeDeletedSubscriptions(db);
  expect(await left()).toBe(2);
  await db.$executeRaw`
    update queue set lease_id = null, leased_until = null, worker_id = null where id = ${run}::uuid`;
  await purgeDeletedSubscriptions(db);
  expect(await db.subscription.findMany({ where: { accountId } })).toMatchObject([{ id: kept }]);
  expect(await readRuns(db, { id: run })).toMatchObject([{ state: "cancelled" }]);
});
