import { Client } from "pg";
import { expect, it } from "vitest";
import { purgeDeletedAccounts } from "#lib/db/accounts/purge-accounts.ts";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { purgeDeletedHooks } from "./purge-hooks.ts";

const { db, url } = withDatabase();
const deletedAt = new Date();

async function addDeletedHook(deliveries: number): Promise<TestHook> {
  const hook = await addHook(db);
  await storeDeliveries(
    db,
    Array.from({ length: deliveries }, () => newDelivery(hook)),
  );
  await db.hook.update({ where: { id: hook.id }, data: { deletedAt } });
  return hook;
}

const countRows = async ({ id }: TestHook) => [
  await db.hook.count({ where: { id } }),
  await db.delivery.count({ where: { hookId: id } }),
  await db.deliveryTerms.count({ where: { hookId: id } }),
];

it("a hook stays until its last delivery is removed, also if another process removes some", async () => {
  const hook = await addDeletedHook(10);
  const other = new Client({ connectionString: url });
  await other.connect();
  await other.query(
    `begin; delete from deliveries where id = (select id from deliveries where hook_id = '${hook.id}' order by id limit 1)`,
  );
  let hasEnded = false;
  const purged = purgeDeletedHooks(db, { batchRows: 3 }).finally(() => {
    hasEnded = true;
  });
  await expect.poll(async () => hasEnded || (await countWaiting(db)) > 0).toBe(true);
  await other.query("commit");
  await other.end();
  await purged;
  expect(await countRows(hook)).toEqual([1, 7, 0]);
  await purgeDeletedHooks(db);
  expect(await countRows(hook)).toEqual([0, 0, 0]);
});

it("an account stays until everything of its hooks is removed", async () => {
  const hook = await addDeletedHook(3);
  const { id: hookId, accountId: id } = hook;
  await db.$executeRaw`
    insert into delivery_terms (id, hook_id, last_id, delivery_count, terms)
    select id, hook_id, id, 1, '{1}' from deliveries where hook_id = ${hookId}::uuid`;
  await db.account.update({ where: { id }, data: { deletedAt } });
  for (let turn = 0; turn < 4; turn += 1) {
    await purgeDeletedHooks(db, { maxRows: 1, batchRows: 1 });
    await purgeDeletedAccounts(db);
  }
  expect(await countRows(hook)).toEqual([0, 0, 0]);
  expect(await db.account.count({ where: { id } })).toBe(0);
});
