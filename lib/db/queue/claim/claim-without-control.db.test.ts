import { afterAll, expect, it } from "vitest";
import { hasControl } from "#lib/db/queue/control/claim-parts.ts";
import { createQueueFixture } from "../testing/queue-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

it("a claim without control takes what a full one takes, except for actions that need it", async () => {
  const accountId = await queue.addAccount();
  const plain = await queue.addActionQueue({ accountId, maxConcurrency: 3 });
  const limited = await queue.addActionQueue({
    accountId,
    rateLimit: { count: 2, perSeconds: 1_000 },
  });
  for (const action of [plain, limited]) await queue.addRuns(action, 10);
  expect(await hasControl(queue.db)).toBe(false);
  const runs = await queue.claim({ hasControl: false });
  const of = ({ targetId }: { targetId: string }) =>
    runs.filter((run) => run.targetId === targetId);
  expect(of(plain)).toHaveLength(3);
  expect(of(limited)).toHaveLength(1);
  expect(await queue.claim({ hasControl: false })).toEqual([]);
  const breaker = { failures: 5, windowSeconds: 60, openSeconds: 60 };
  const guarded = await queue.addActionQueue({ accountId, breaker });
  await queue.addRuns(guarded, 1);
  expect(await hasControl(queue.db)).toBe(true);
  expect(await queue.claim({ hasControl: false })).toEqual([]);
  expect(await queue.claim()).toHaveLength(1);
});
