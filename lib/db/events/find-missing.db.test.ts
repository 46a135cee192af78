import { expect, it } from "vitest";
import { idFloor } from "#lib/core/api/page.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { lockedJob } from "#lib/db/testing/locked-job.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { queueMissing } from "./find-missing.ts";
import { storeEvents } from "./store-events.ts";

const { db } = withDatabase();

it("two jobs at once, in two processes, send a subscription each event that it missed once", async () => {
  const accountId = await addAccount(db);
  await storeEvents(db, [newEvent(accountId), newEvent(accountId)]);
  const job = lockedJob(accountId, {
    subscriptionId: await addSubscription(db, accountId),
    from: 0,
  });
  let second: Promise<number> | undefined;
  await db.$transaction(async (tx) => {
    expect((await queueMissing(tx, job, 500)).runIds).toHaveLength(2);
    let isQueued = false;
    second = db.$transaction(async (other) => {
      const { runIds } = await queueMissing(other, job, 500);
      isQueued = true;
      return runIds.length;
    });
    await expect.poll(async () => isQueued || (await countWaiting(db)) > 0).toBe(true);
  });
  expect(await second).toBe(0);
});

it("an event of a machine whose clock is ahead isn't left out", async () => {
  const accountId = await addAccount(db);
  const early = newEvent(accountId);
  const late = { ...newEvent(accountId), id: idFloor(Date.now() + 3_600_000) };
  await storeEvents(db, [early, late]);
  const job = lockedJob(accountId, {
    subscriptionId: await addSubscription(db, accountId),
    from: 0,
  });
  await queueMissing(db, job, 500);
  const queued = await db.queuedRun.findMany({ where: { accountId }, orderBy: { eventId: "asc" } });
  expect(queued.map(({ eventId }) => eventId)).toEqual([early.id, late.id]);
});
