import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addAction, addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { addRun, readRuns } from "#lib/db/testing/test-runs.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import {
  findRetentionEnd,
  listRetainedHooks,
  removeHookDeliveriesBefore,
} from "./hook-retention.ts";

const { db } = withDatabase();
const dayMs = 86_400_000;

async function store(hook: HookRecord, daysAgo: number, status: "accepted" | "rejected") {
  const at = Date.now() - daysAgo * dayMs;
  const id = idFloor(at).slice(0, 14) + newId().slice(14);
  await storeDeliveries(db, [newDelivery(hook, { id, status })]);
  await db.$executeRaw`update deliveries set stored_at = ${new Date(at)} where id = ${id}::uuid`;
  return id;
}

/** By their number, whenever they were stored. */
const before = (end: string) => ({ end, byCount: end, storedBefore: new Date() });

/** Applies the hook's retention, three deliveries at a time. */
async function retain(hook: HookRecord): Promise<number> {
  const retained = (await listRetainedHooks(db)).find(({ hookId }) => hookId === hook.id);
  if (retained === undefined) return 0;
  const end = await findRetentionEnd(db, retained, Date.now());
  return await removeHookDeliveriesBefore(db, hook.id, end, { batchRows: 3 });
}

const idsOf = async (hook: HookRecord) => (await readDeliveries(db, hook)).map(({ id }) => id);

it("removes what is older than the hook's days with its runs, and nothing of others", async () => {
  const [hook, other] = [await addHook(db, { retentionDays: 10 }), await addHook(db)];
  const actionId = await addAction(db, hook);
  const stored = [11, 12, 13, 14, 15].map((days) => store(hook, days, "accepted"));
  const old = await Promise.all(stored);
  await store(hook, 20, "rejected");
  const kept = [await store(hook, 9, "accepted"), await store(hook, 1, "rejected")];
  const others = await store(other, 30, "accepted");
  await db.$executeRaw`update queue set lease_id = gen_random_uuid(), leased_until = now() where delivery_id = ${old[0]}::uuid`;
  // All but the first and the second have ended, and the last was also replayed.
  const runs = await readRuns(db, { hookId: hook.id });
  for (const { id, deliveryId } of runs)
    if (deliveryId !== old[0] && deliveryId !== old[1]) {
      await db.$executeRaw`delete from queue where id = ${id}::uuid`;
      await db.$executeRaw`
        insert into runs (id, account_id, target_id, hook_id, delivery_id, state, finished_at)
        values (${id}::uuid, ${hook.accountId}::uuid, ${actionId}::uuid, ${hook.id}::uuid, ${deliveryId}::uuid, 'succeeded', now())`;
    }
  const { accountId } = hook;
  const ended = { accountId, targetId: actionId, hookId: hook.id, state: "failed" } as const;
  await addRun(db, { ...ended, deliveryId: old[4] ?? null });
  const answered = { id: old[2] ?? "", accountId };
  await db.reply.create({ data: answered });

  expect(await retain(hook)).toBe(4);
  expect(await idsOf(hook)).toEqual([old[1], old[0], ...kept].toSorted());
  expect(await idsOf(other)).toEqual([others]);
  const left = (await readRuns(db, { hookId: hook.id })).map(({ deliveryId }) => deliveryId);
  expect(left.toSorted()).toEqual([old[1], old[0], kept[0]].toSorted());
  expect(await db.reply.count()).toBe(0);
  expect(await retain(hook)).toBe(0);
});

it("keeps the newest so many, over weeks and statuses", async () => {
  const hook = await addHook(db, { retentionCount: 100 });
  const ids = [];
  for (let at = 0; at < 7; at += 1)
    ids.push(await store(hook, 22 - 3 * at, at % 3 === 0 ? "rejected" : "accepted"));
  expect(await retain(hook)).toBe(0);
  for (const count of [5, 3, 2, 1]) {
    await db.hook.update({ where: { id: hook.id }, data: { retentionCount: count } });
    await retain(hook);
    expect(await idsOf(hook)).toEqual(ids.slice(-count));
  }
  await db.lastDelivery.create({
    data: {
      hookId: hook.id,
      accountId: hook.accountId,
      deliveryId: ids[6] ?? "",
      status: "rejected",
      receivedAt: new Date(),
    },
  });
  await removeHookDeliveriesBefore(db, hook.id, before(idFloor(Date.now())));
  expect(await db.lastDelivery.count({ where: { hookId: hook.id } })).toBe(0);
});

it("of two processes, one removes deliveries at a time", async () => {
  const hook = await addHook(db, { retentionDays: 1 });
  await store(hook, 3, "accepted");
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`select pg_advisory_xact_lock(hashtext('retain_hooks'))::text`;
    expect(await retain(hook)).toBe(0);
  });
  expect(await retain(hook)).toBe(1);
});
