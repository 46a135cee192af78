import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { recountHours, rollUpStep } from "#lib/db/statistics/statistics-roll-up.ts";
import { countReads } from "#lib/db/testing/count-reads.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { startOfRange } from "#lib/schema/watch/activity.ts";
import { readAccountStatistics } from "./statistics.ts";

// One connection, so that its reads are counted.
const { db } = withDatabase({ poolSize: 1 });
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nowMs = Date.now();
const fromMs = startOfRange("30d", nowMs);
/** The first hour of a day that is summed. */
const oldMs = Math.floor(nowMs / dayMs) * dayMs - 5 * dayMs;

const idAt = (ms: number) => idFloor(ms).slice(0, 14) + newId().slice(14);

async function rollUp(): Promise<void> {
  while (await rollUpStep(db, nowMs - 31 * dayMs));
}

it("30 days are the same from sums of days, which are made again when one of their hours is", {
  tags: "variant",
}, async () => {
  const hook = await addHook(db);
  const { accountId, id: hookId } = hook;
  const targetId = await addAction(db, hook);
  const fail = (ms: number) =>
    addRun(db, { id: idAt(ms), accountId, targetId, hookId, state: "failed" });
  for (let hour = 0; hour < 24; hour += 1) await fail(oldMs + hour * hourMs);
  const retried = await fail(oldMs + 3 * hourMs);
  await fail(nowMs);
  const read = async () => {
    const { buckets, runs } = await readAccountStatistics(db, accountId, {
      ...{ fromMs, nowMs, bucketMs: dayMs },
    });
    return {
      total: runs.failed,
      days: buckets.map((bucket) => bucket.runs.failed).filter(Boolean),
    };
  };
  const isSummed = async () =>
    (await db.statisticsDay.count({ where: { day: new Date(oldMs) } })) > 0;
  await rollUp();
  expect(await isSummed()).toBe(true);
  expect(await read()).toEqual({ total: 26, days: [25, 1] });
  expect(await countReads(db, /^run_statistics/, read)).toBeLessThan(24);

  await db.$executeRaw`delete from runs where id = ${retried}::uuid`;
  await recountHours(db, [retried]);
  while (await isSummed()) await rollUpStep(db, nowMs - 31 * dayMs);
  expect(await read()).toEqual({ total: 25, days: [24, 1] });
  await rollUp();
  expect(await isSummed()).toBe(true);
  expect(await read()).toEqual({ total: 25, days: [24, 1] });

  await db.hook.update({ where: { id: hookId }, data: { deletedAt: new Date() } });
  expect((await read()).total).toBe(0);
});
