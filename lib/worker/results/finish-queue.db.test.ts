import { afterAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { isDatabaseReachable } from "#lib/db/postgres/is-database-reachable.ts";
import { queueSettings } from "#lib/db/postgres/plan-settings.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { startFaultProxy } from "#lib/db/testing/fault-proxy.ts";
import { openFinishQueue } from "./finish-queue.ts";

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

function succeed(run: ClaimedRun, requestJson = "{}"): FinishedRun {
  const attempt = {
    id: newId(),
    number: run.attemptNumber,
    startedAtMs: Date.now(),
    durationMs: 1,
    requestJson,
    responseJson: null,
    errorCode: null,
    errorMessage: null,
  };
  const next = { state: "succeeded", reason: null } as const;
  return { ...run, attemptCount: run.attemptNumber, next, attempt };
}

function open(over: SqlDatabase = db) {
  const written: string[] = [];
  const givenUp: string[] = [];
  const finishes = openFinishQueue(over, { size: 0 }, (batch, late) => {
    for (const { id } of batch) (late.has(id) ? givenUp : written).push(id);
  });
  return { finishes, written, givenUp };
}

it("a result waits while the database is unavailable and is written once it is back", async () => {
  await queue.addRuns(await queue.addActionQueue(), 3);
  const runs = await queue.claim();
  const { finishes, written, givenUp } = open();
  network.setMode("refuse");
  for (const run of runs) finishes.add(succeed(run));
  // The first write has failed by the time a later statement has.
  expect(await isDatabaseReachable(db)).toBe(false);
  network.setMode("pass");
  await expect.poll(() => written.toSorted()).toEqual(runs.map(({ id }) => id).sort());
  expect(givenUp).toEqual([]);
  for (const { id } of runs) expect(await queue.readRun(id)).toMatchObject({ state: "succeeded" });
});

it.each([
  ["read-only", "25006"],
  ["full", "53100"],
])("a result waits while the database is %s", async (_what, state) => {
  await queue.addRuns(await queue.addActionQueue(), 1);
  const runs = await queue.claim();
  let tries = 0;
  // The rejection is exactly what the database reports through the driver.
  const reject = (sql: string) => queue.db.$executeRawUnsafe(sql);
  await reject(
    `create function reject() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '${state}'; end $$`,
  );
  await reject(
    "create trigger reject before delete on queue for each statement execute function reject()",
  );
  const counting: SqlDatabase = {
    ...db,
    $queryRaw: (query, ...values) => {
      if (Array.isArray(query) && query.join("").includes("delete from queue")) tries += 1;
      return db.$queryRaw(query, ...values);
    },
  };
  const { finishes, written, givenUp } = open(counting);
  for (const run of runs) finishes.add(succeed(run));
  // Two tries were enough to drop it because of its content.
  await expect.poll(() => tries).toBeGreaterThan(2);
  expect(givenUp).toEqual([]);
  await reject("drop function reject cascade");
  await expect.poll(() => written.toSorted()).toEqual(runs.map(({ id }) => id).sort());
  expect(givenUp).toEqual([]);
});

it("only the result that the database rejects because of its content is dropped", async () => {
  await queue.addRuns(await queue.addActionQueue(), 6);
  const runs = await queue.claim();
  const bad = runs[3]?.id ?? "";
  const { finishes, written, givenUp } = open();
  for (const run of runs) finishes.add(succeed(run, run.id === bad ? "{\0" : "{}"));
  await expect.poll(() => [...written, ...givenUp].length).toBe(6);
  expect(givenUp).toEqual([bad]);
  // Its lease expires, and then another worker makes the call again.
  expect(await queue.readRun(bad)).toMatchObject({ state: "queued", attempt_count: 0 });
  expect((await queue.readRun(bad)).lease_id).not.toBeNull();
});

it("in a flood, results wait for others, so that one statement writes them", async () => {
  await queue.addRuns(await queue.addActionQueue(), 13);
  const [first, second, third, ...rest] = (await queue.claim()).map((run) => succeed(run));
  if (first === undefined || second === undefined || third === undefined) throw new Error("No run");
  const batches: number[] = [];
  const finishes = openFinishQueue(db, { size: 200 }, (batch) => {
    batches.push(batch.length);
    if (batches.length !== 2) return;
    finishes.add(second);
    // The pause has four parts of half this time each.
    setTimeout(() => finishes.add(third), 10);
  });
  for (const run of [first, ...rest]) finishes.add(run);
  await expect.poll(() => batches).toEqual([1, 10, 2]);
});
