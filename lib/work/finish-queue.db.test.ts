import { afterAll, expect, it } from "vitest";
import { isAnswering } from "#lib/db/is-answering.ts";
import type { ClaimedRun } from "#lib/db/queue/claim-runs.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";
import { queueSettings } from "#lib/db/queue/queue-settings.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { createSqlDatabase } from "#lib/db/sql-database.ts";
import { startFaultProxy } from "#lib/db/testing/fault-proxy.ts";
import { newId } from "#lib/ids.ts";
import { FinishQueue } from "./finish-queue.ts";

const queue = await createQueueFixture();
const network = await startFaultProxy(queue.url);
const db = createSqlDatabase({
  url: network.url,
  poolSize: 2,
  applicationName: "finish test",
  settings: queueSettings,
});
afterAll(async () => {
  await db.$disconnect();
  await network.close();
  await queue[Symbol.asyncDispose]();
});

function succeed({ id, leaseId, accountId, attemptNumber }: ClaimedRun, requestJson = "{}"): FinishedRun {
  const attempt = {
    id: newId(),
    number: attemptNumber,
    startedAtMs: Date.now(),
    durationMs: 1,
    requestJson,
    responseJson: null,
    errorCode: null,
    errorMessage: null,
  };
  return { id, leaseId, accountId, next: { state: "succeeded", reason: null }, attempt };
}

function open() {
  const written: string[] = [];
  const givenUp: string[] = [];
  const finishes = new FinishQueue(db, (batch, late) => {
    for (const { id } of batch) (late.has(id) ? givenUp : written).push(id);
  });
  return { finishes, written, givenUp };
}

it("what came of a call waits while the database is away, and is written when it is back", async () => {
  await queue.addRuns(await queue.addLane(), 3);
  const runs = await queue.claim();
  const { finishes, written, givenUp } = open();
  network.setMode("refuse");
  for (const run of runs) finishes.add(succeed(run));
  // The first attempt at writing has failed by the time that a later question has.
  expect(await isAnswering(db)).toBe(false);
  network.setMode("pass");
  await expect.poll(() => written.toSorted(), { timeout: 10_000 }).toEqual(runs.map(({ id }) => id).sort());
  expect(givenUp).toEqual([]);
  for (const { id } of runs) expect(await queue.readRun(id)).toMatchObject({ state: "succeeded" });
});

it("a result that the database refuses for what is in it is given up alone", async () => {
  await queue.addRuns(await queue.addLane(), 6);
  const runs = await queue.claim();
  const bad = runs[3]?.id ?? "";
  const { finishes, written, givenUp } = open();
  for (const run of runs) finishes.add(succeed(run, run.id === bad ? "{not JSON" : "{}"));
  await expect.poll(() => [...written, ...givenUp].length, { timeout: 20_000 }).toBe(6);
  expect(givenUp).toEqual([bad]);
  // Its lease runs out, and then another worker makes the call again.
  expect(await queue.readRun(bad)).toMatchObject({ state: "queued", attempt_count: 0 });
  expect((await queue.readRun(bad)).lease_id).not.toBeNull();
});
