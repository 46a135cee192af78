import { expect, it } from "vitest";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { sweepRejectedBefore } from "./rejected-retention.ts";

const { db } = withDatabase();
const dayMs = 86_400_000;

it("removes old rejections and handshakes of every hook, and nothing else", async () => {
  const hooks = [await addHook(db), await addHook(db)];
  const at = async (daysAgo: number) => {
    const [row] = await db.$queryRaw<{ id: string }[]>`
      select uuid_v7_at(${new Date(Date.now() - daysAgo * dayMs)}) as id`;
    return row?.id ?? "";
  };
  const store = async (daysAgo: number, status: "accepted" | "rejected" | "handshake") => {
    const ids = await Promise.all(hooks.map(() => at(daysAgo)));
    const made = hooks.map((hook, index) => newDelivery(hook, { id: ids[index] ?? "", status }));
    await storeDeliveries(db, made);
    return ids;
  };
  const kept = [...(await store(20, "accepted")), ...(await store(2, "rejected"))];
  const old = [...(await store(16, "rejected")), ...(await store(15, "handshake"))];
  await db.$executeRaw`update deliveries set stored_at = to_timestamp(uuid_v7_ms(id) / 1000.0)`;
  // A clock was behind.
  const late = await store(17, "rejected");
  const [first] = hooks;
  // The rows look as if nothing had arrived since.
  await db.$executeRaw`delete from deliveries where hook_id = ${first?.id}::uuid and id = ${kept[2]}::uuid`;
  await db.$executeRaw`
    insert into last_deliveries (hook_id, account_id, delivery_id, status, received_at)
    values (${first?.id}::uuid, ${first?.accountId}::uuid, ${old[2]}::uuid, 'handshake', now())
    on conflict (hook_id) do update set delivery_id = excluded.delivery_id, status = excluded.status`;
  const cutoff = new Date(Date.now() - 14 * dayMs);
  expect(await sweepRejectedBefore(db, cutoff, () => false)).toBe(old.length);
  const left = await db.delivery.findMany({ select: { id: true } });
  expect(left.map(({ id }) => id).sort()).toEqual([...late, kept[0], kept[1], kept[3]].sort());
  const last = await db.lastDelivery.findMany({ where: { hookId: first?.id ?? "" } });
  expect(last).toMatchObject([{ deliveryId: late[0], status: "rejected" }]);
  expect(await sweepRejectedBefore(db, cutoff, () => false)).toBe(0);
});
