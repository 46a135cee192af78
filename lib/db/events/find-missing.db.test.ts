import { expect, it } from "vitest";
import type { LockedJob } from "#lib/db/jobs/lock-bulk-job.ts";
import { firstId } from "#lib/db/postgres/page.ts";
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
  const job: LockedJob<MissingFilter> = {
    id: newId(),
    accountId,
    filter: { subscriptionId: await addSubscription(db, accountId), from: 0 },
    seenBefore: firstId,
    createdAtMs: Date.now() + 1_000,
    changedCount: 0,
    ratePerMinute: null,
    stopAfterFailures: null,
    isTrial: false,
    failedBefore: 0,
    dueForMs: 0,
  };
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
