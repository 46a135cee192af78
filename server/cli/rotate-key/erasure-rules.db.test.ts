import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { eraseJob } from "#lib/jobs/kinds/erase.ts";
import { findArrivalsJob } from "#lib/jobs/kinds/find-arrivals.ts";
import { workAll } from "#lib/jobs/testing/work.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { createErasure, listErasureRules } from "#lib/services/erasures.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { resealAll } from "./reseal.ts";

const { db, url } = withDatabase();
const [oldKey, newKey] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
const [before, after] = [openSealer(oldKey), openSealer(newKey)];

async function endErasures(sealer: typeof before): Promise<void> {
  while ((await db.erasure.count({ where: { finishedAt: null } })) > 0) {
    await db.$executeRaw`update erasures set leased_until = null`;
    await workAll(eraseJob({ db, databaseUrl: url, sealer }));
  }
}

test("a rule for later arrivals knows its value with the new key alone", async () => {
  const hook = await addHook(db, {}, before);
  const context = testContext(db, hook.accountId, { sealer: before });
  await createErasure(context, {
    ...{ values: ["Jo.Doe@example.com"], dryRun: false, laterArrivals: true },
  });
  await endErasures(before);
  expect((await resealAll(db, { newKey, oldKey })).unreadable).toBe(0);

  const body = Buffer.from('{"text":"from jo.doe@example.com"}');
  await storeDeliveries(db, [newDelivery(hook, { body })]);
  await workAll(findArrivalsJob({ db, sealer: after }));
  await endErasures(after);
  const bodies = (await readDeliveries(db, hook)).map((row) => Buffer.from(row.body).toString());
  expect(bodies).toEqual(['{"text":"from [erased]"}']);
  expect((await listErasureRules(context, {})).items).toMatchObject([{ matches: 1 }]);
});
