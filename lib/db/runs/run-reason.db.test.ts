import { afterAll, expect, it } from "vitest";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { endRuns } from "#lib/db/testing/test-runs.ts";
import { listRuns } from "./list-runs.ts";
import { findLastFailures } from "./open-runs.ts";
import { readRunRows } from "./run-rows.ts";
import { getRun } from "./runs.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

it("reads a reason with its code from rows of every version", async () => {
  const { accountId, ...actionQueue } = await queue.addActionQueue();
  const stored = [
    { code: "not_retried", detail: "The receiver responded with 404: no" },
    // This run is from a version without codes.
    { code: null, detail: "What has no code" },
    { code: "not_retried", detail: "The receiver responded with 410" },
    { code: null, detail: null },
  ];
  const ids = await queue.addRuns({ accountId, ...actionQueue }, stored.length);
  for (const [at, { code, detail }] of stored.entries())
    await endRuns(queue.db, ids.slice(at, at + 1), { reasonCode: code, reasonDetail: detail });
  const expected = [
    { code: "not_retried", detail: "The receiver responded with 404: no" },
    { code: "unknown", detail: "What has no code" },
    { code: "not_retried", detail: "The receiver responded with 410" },
    null,
  ];
  const read = await Promise.all(ids.map((id) => getRun(queue.db, accountId, id)));
  expect(read.map(({ reason }) => reason)).toEqual(expected);
  const rows = new Map((await readRunRows(queue.db, accountId, ids)).map((row) => [row.id, row]));
  expect(ids.map((id) => rows.get(id)?.reason)).toEqual(expected);

  const find = async (filter: { reason?: string; q?: string }) => {
    const { items } = await listRuns(queue.db, accountId, filter, { limit: 10 });
    return items.map(({ id }) => id).sort();
  };
  const [old, uncoded, current] = ids;
  expect(await find({ reason: "not_retried" })).toEqual([old, current].sort());
  expect(await find({ q: "responded with 4" })).toEqual([old, current].sort());
  expect(await find({ q: "has no code" })).toEqual([uncoded]);
  const failures = await findLastFailures(queue.db, accountId, [actionQueue.targetId]);
  expect(expected).toContainEqual(failures.get(actionQueue.targetId)?.reason);
});
