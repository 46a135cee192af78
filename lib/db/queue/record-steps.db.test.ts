import { afterAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import type { StepState } from "#lib/schema/act/step-limits.ts";
import type { ClaimedRun } from "./claimed-run.ts";
import type { NewAttempt } from "./finish-runs.ts";
import { recordSteps } from "./record-steps.ts";
import { rescueRuns } from "./rescue-runs.ts";
import { createQueueFixture } from "./testing/queue-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

function record(run: ClaimedRun, state: StepState, attempt: NewAttempt | null = null) {
  const step = {
    key: "put",
    item: -1,
    attemptCount: 1,
    delayMs: null,
    error: null,
    isRepeat: false,
  };
  return recordSteps(queue.db, [{ run, state, attempt, resultJson: null, ...step }]);
}

const interrupted = (): NewAttempt => ({
  id: newId(),
  number: 1,
  startedAtMs: Date.now(),
  durationMs: 0,
  requestJson: null,
  responseJson: null,
  errorCode: "outcome_unknown",
  errorMessage: "The worker was stopped.",
});

/** Claims the run, whose worker then dies. */
async function die(work: (run: ClaimedRun) => Promise<unknown>) {
  const [run] = await queue.claim({ leaseMs: -1_000 });
  if (run === undefined) throw new Error("Nothing was claimed");
  await work(run);
  const [rescued] = await rescueRuns(queue.db, { lostWorkerIds: [], actionCap: 100 });
  return rescued?.isQuarantined;
}

const dieCalling = () =>
  die(async (run) => {
    await record(run, "retrying", interrupted());
    await record(run, "calling");
  });

it("a run whose worker dies at the same call again and again is quarantined, unless a step ends in between", async () => {
  const [id = ""] = await queue.addRuns(await queue.addActionQueue({ steps: [] }), 1);
  expect([await dieCalling(), await dieCalling()]).toEqual([false, false]);
  expect(await die((run) => record(run, "succeeded"))).toBe(false);
  expect(await queue.readRun(id)).toMatchObject({ crash_count: 1 });
  expect([await dieCalling(), await dieCalling()]).toEqual([false, true]);
  expect(await queue.readRun(id)).toMatchObject({ state: "failed" });
});
