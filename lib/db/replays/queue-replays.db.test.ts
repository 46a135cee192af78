import { afterAll, expect, it } from "vitest";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { lockedJob } from "#lib/db/testing/locked-job.ts";
import type { ReplayFilter } from "#lib/schema/act/replay.ts";
import { queueReplays } from "./queue-replays.ts";

const queue = await createQueueFixture();
const { db } = queue;
afterAll(() => queue[Symbol.asyncDispose]());

/** A backfill of an action that misses two runs. */
async function addBackfill() {
  const to = await queue.addActionQueue();
  for (const body of ["1", "2"]) await queue.addRuns(to, 1, { body });
  await db.$executeRaw`truncate queue`;
  const { accountId, hookId, targetId } = to;
  const filter: ReplayFilter = { hookId, actionIds: [targetId], as: "now", onlyMissing: true };
  return { hookId, job: lockedJob(accountId, filter) };
}

it("two backfills at once, in two processes, queue each run that is missing once", async () => {
  const { job } = await addBackfill();
  let second: Promise<number> | undefined;
  await db.$transaction(async (tx) => {
    expect((await queueReplays(tx, job, 500)).queued).toHaveLength(2);
    let isQueued = false;
    second = db.$transaction(async (other) => {
      const { queued } = await queueReplays(other, job, 500);
      isQueued = true;
      return queued.length;
    });
    await expect.poll(async () => isQueued || (await countWaiting(db)) > 0).toBe(true);
  });
  expect(await second).toBe(0);
});

it("a backfill goes on while its hook is changed, as by a long import", async () => {
  const { hookId, job } = await addBackfill();
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`select from hooks where id = ${hookId}::uuid for no key update`;
    const { queued } = await db.$transaction((other) => queueReplays(other, job, 500));
    expect(queued).toHaveLength(2);
  });
});
