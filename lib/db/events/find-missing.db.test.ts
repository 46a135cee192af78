import { expect, it } from "vitest";
import type { LockedJob } from "#lib/db/jobs/lock-bulk-job.ts";
import { firstId, idFloor } from "#lib/db/postgres/page.ts";
import type { MissingFilter } from "#lib/db/runs/bulk-jobs.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { newId } from "#lib/ids.ts";
import { queueMissing } from "./find-missing.ts";
import { storeEvents } from "./store-events.ts";

const opened = withDatabase();

it("two jobs at once, in two processes, send a subscription each event that it missed once", async () => {
  const { db } = opened;
  const accountId = await addAccount(db);
  await storeEvents(db, [newEvent(accountId), newEvent(accountId)]);
  const job = toJob(accountId, await addSubscription(db, accountId));
  let second: Promise<number> | undefined;
  await db.$transaction(async (tx) => {
    expect((await queueMissing(tx, job, 500)).runIds).toHaveLength(2);
    let isQueued = false;
    second = db.$transaction(async (other) => {
      const { runIds } = await queueMissing(other, job, 500);
      isQueued = true;
      return runIds.length;
    });
    const isWaiting = async () => {
      const blocked = await db.$queryRaw<unknown[]>`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return isQueued || blocked.length > 0;
    };
    await expect.poll(isWaiting).toBe(true);
  });
  expect(await second).toBe(0);
});

it("an event of a machine whose clock is ahead isn't left out", async () => {
  const { db } = opened;
  const accountId = await addAccount(db);
  const early = newEvent(accountId);
  const late = { ...newEvent(accountId), id: idFloor(Date.now() + 3_600_000) };
  await storeEvents(db, [early, late]);
  const job = toJob(accountId, await addSubscription(db, accountId));
  await queueMissing(db, job, 500);
  const queued = await db.queuedRun.findMany({ where: { accountId }, orderBy: { eventId: "asc" } });
  expect(queued.map(({ eventId }) => eventId)).toEqual([early.id, late.id]);
});

function toJob(accountId: string, subscriptionId: string): LockedJob<MissingFilter> {
  return {
    id: newId(),
    accountId,
    filter: { subscriptionId, from: 0 },
    seenBefore: firstId,
    changedCount: 0,
    ratePerMinute: null,
    stopAfterFailures: null,
    isTrial: false,
    failedBefore: 0,
    dueForMs: 0,
  };
}
