import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { workOnce } from "../testing/work.ts";
import { retainHooksJob } from "./retain-hooks.ts";

const { db } = withDatabase();
const dayMs = 86_400_000;

it("a hook whose deliveries can't be removed doesn't keep those of the next ones", async () => {
  const [broken, next] = [
    await addHook(db, { retentionDays: 1 }),
    await addHook(db, { retentionDays: 1 }),
  ];
  for (const hook of [broken, next]) {
    const id = idFloor(Date.now() - 3 * dayMs).slice(0, 14) + newId().slice(14);
    await storeDeliveries(db, [newDelivery(hook, { id })]);
    await db.$executeRaw`update deliveries set stored_at = now() - interval '3 days' where id = ${id}::uuid`;
  }
  await db.$executeRaw`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`;
  await db.$executeRawUnsafe(
    `create trigger refuse before delete on deliveries for each row when (old.hook_id = '${broken.id}') execute function refuse()`,
  );
  await workOnce(retainHooksJob(db));
  const left = await db.delivery.findMany({ select: { hookId: true } });
  expect(left).toEqual([{ hookId: broken.id }]);
});
