import { expect, it } from "vitest";
import { getRun } from "#lib/db/runs/runs.ts";
import { closeActionBreaker } from "#lib/services/actions/write-actions.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";
import { SlowActions } from "./slow-actions.ts";

const { queue } = await withWorkerQueue();

/** The code spends its time in a built-in function, which only the thread's limit ends. */
const slow = "export default () => { for (;;) new Array(1e8).join('') }";
const transform = (code: string) => ({ steps: [{ key: "t", kind: "transform", code }] });

const countRuns = (state: string) => queue.db.run.count({ where: { state } });
const long = { interval: 20, timeout: 300_000 };

it("an action whose transform is too slow five times in a row is held until a person releases it", {
  tags: "variant",
}, async () => {
  const action = await queue.addActionQueue(transform(slow));
  const { accountId, targetId } = action;
  await queue.addRuns(action, 30, { body: "{}" });
  await using _worker = startTestWorker({ url: queue.url });
  const findAction = () => queue.db.action.findUniqueOrThrow({ where: { id: targetId } });
  await expect.poll(async () => (await findAction()).heldSince, long).not.toBeNull();
  expect((await findAction()).heldReason).toContain("5th run in a row");
  // A run that waited for a thread goes back to the queue.
  const readLeased = () => queue.db.queuedRun.count({ where: { leaseId: { not: null } } });
  await expect.poll(readLeased, long).toBe(0);
  const failed = await countRuns("failed");
  expect(failed).toBeLessThan(15);
  const held = await queue.db.queuedRun.findMany({ where: { targetId } });
  expect(held).toHaveLength(30 - failed);
  expect(await getRun(queue.db, accountId, held[0]?.id ?? "")).toMatchObject({
    status: "held",
    attemptCount: 0,
    waitsFor: { kind: "action", reason: expect.stringContaining("took longer than 100 ms") },
  });
  const code = "export default () => 1";
  await queue.db.action.update({
    where: { id: targetId },
    data: { steps: transform(code).steps, version: 2 },
  });
  await closeActionBreaker(testContext(queue.db, accountId), { id: targetId });
  await expect.poll(() => countRuns("succeeded"), long).toBe(30 - failed);
});

it("the transforms of a deleted hook leave the queue of the threads, and other actions run", {
  tags: "variant",
}, async () => {
  const action = await queue.addActionQueue(transform(slow));
  const other = await queue.addActionQueue(transform("export default () => 1"));
  await queue.addRuns(action, 40, { body: "{}" });
  await using worker = startTestWorker({ url: queue.url });
  await expect.poll(() => worker.worker.size, long).toBeGreaterThan(20);
  await queue.db.hook.updateMany({
    where: { accountId: action.accountId },
    data: { deletedAt: new Date() },
  });
  await queue.addRuns(other, 3, { body: "{}" });
  await expect.poll(() => countRuns("succeeded"), long).toBe(3);
  await expect.poll(() => worker.worker.size, long).toBe(0);
  expect(await countRuns("failed")).toBeLessThan(20);
});

it("templates that are too slow count as well, and a run that isn't slow starts the count again", async () => {
  const { targetId } = await queue.addActionQueue();
  const slowActions = new SlowActions(queue.db);
  const end = async (code: string) => {
    const next = {
      state: "failed",
      reason: { code, detail: "The mapping took too long." },
    } as const;
    await slowActions.record({ targetId, kind: "action", version: 1, next });
    const { heldReason } = await queue.db.action.findUniqueOrThrow({ where: { id: targetId } });
    return heldReason;
  };
  const inRow = ["mapping_too_slow", "transform_too_slow", "mapping_too_slow", "mapping_too_slow"];
  for (const code of [...inRow, "http_status", ...inRow]) expect(await end(code)).toBeNull();
  expect(await end("mapping_too_slow")).toBe(
    "The mapping took too long. That was the 5th run in a row.",
  );
});
