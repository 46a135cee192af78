import { afterAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import type { ClaimedRun } from "./claimed-run.ts";
import { type FinishedRun, finishRuns } from "./finish-runs.ts";
import { recordSteps } from "./record-steps.ts";
import { releaseRuns } from "./release-runs.ts";
import { renewLeases } from "./renew-leases.ts";
import { setOrderKeys } from "./set-order-keys.ts";
import { createQueueFixture } from "./testing/queue-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

const step = {
  key: "a",
  item: -1,
  state: "calling",
  attemptCount: 1,
  delayMs: null,
  attempt: null,
  error: null,
  resultJson: null,
  isRepeat: false,
} as const;
const attempt = {
  durationMs: 1,
  requestJson: "{}",
  responseJson: "{}",
  errorCode: null,
  errorMessage: null,
};
const writes = {
  "records a step": async (run: ClaimedRun) => recordSteps(queue.db, [{ ...step, run }]),
  "ends a run": async (run: ClaimedRun) =>
    finish(run, { next: { state: "succeeded", reason: null } }),
  "retries a run": async (run: ClaimedRun) => {
    const reason = { code: "retry", detail: "x" };
    return await finish(run, { next: { state: "retrying", reason, delayMs: 3_600_000 } });
  },
  "stores an order key": async (run: ClaimedRun) =>
    setOrderKeys(queue.db, [{ ...run, orderKey: 7n }]),
  "releases a run": async (run: ClaimedRun) => {
    await releaseRuns(queue.db, [run]);
    const { lease_id: leaseId } = await queue.readRun(run.id);
    return new Set(leaseId === null ? [] : [run.id]);
  },
};

function finish(run: ClaimedRun, { next }: Pick<FinishedRun, "next">) {
  const last = { ...attempt, id: newId(), number: 1, startedAtMs: Date.now() };
  return finishRuns(queue.db, [{ ...run, attemptCount: 1, next, attempt: last }]);
}

async function claimOne(): Promise<ClaimedRun> {
  await queue.addRuns(await queue.addActionQueue(), 1);
  const [run] = await queue.claim({ freeSlots: 1 });
  if (run === undefined) throw new Error("Nothing was claimed");
  return run;
}

it.each(Object.entries(writes))(
  "a statement that %s finds it while its lease is renewed",
  async (_what, write) => {
    const run = await claimOne();
    let written: Promise<ReadonlySet<string>> | undefined;
    await queue.db.$transaction(async (renewal) => {
      await renewLeases(renewal, { leases: [run], leaseMs: 30_000, workerId: 2 });
      // The write has seen the row in its old place, and waits for the renewal, which moves it.
      written = write(run);
      await expect.poll(() => countWaiting(queue.db)).toBe(1);
    });
    expect(await written).toEqual(new Set());
  },
);

it("steps are recorded while leases are renewed all the time", { tags: "variant" }, async () => {
  // Claims run one after the other: concurrent ones skip rows that another one has locked.
  const runs: ClaimedRun[] = [];
  for (let count = 0; count < 4; count += 1) runs.push(await claimOne());
  let isDone = false;
  const renewing = (async () => {
    for (let renewed = 0; ; renewed += 1) {
      if (isDone) return renewed;
      await renewLeases(queue.db, { leases: runs, leaseMs: 30_000, workerId: 1 });
    }
  })();
  const lost: string[] = [];
  for (let item = 0; item < 300; item += 1) {
    const steps = runs.map((run) => ({ ...step, item, run }));
    lost.push(...(await recordSteps(queue.db, steps)));
  }
  isDone = true;
  expect(await renewing).toBeGreaterThan(10);
  expect(lost).toEqual([]);
});

it("a run that another worker has taken over stays lost", async () => {
  const run = await claimOne();
  const taken = { ...run, leaseId: newId() };
  expect(await recordSteps(queue.db, [{ ...step, run: taken }])).toEqual(
    new Set([`${taken.leaseId} ${run.id}`]),
  );
  expect(await finish(taken, { next: { state: "succeeded", reason: null } })).toEqual(
    new Set([run.id]),
  );
  const order = [{ ...taken, orderKey: 7n }];
  expect(await setOrderKeys(queue.db, order)).toEqual(new Set([run.id]));
  await releaseRuns(queue.db, [taken]);
  expect(await queue.readRun(run.id)).toMatchObject({ lease_id: run.leaseId, state: "queued" });
});
