import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { rollUpStep } from "#lib/db/statistics/statistics-roll-up.ts";
import { countReads } from "#lib/db/testing/count-reads.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { addAccount } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import type { StoredRunState } from "#lib/schema/act/run-states.ts";
import { readTargetActivity } from "./target-activity.ts";

// One connection, so that its reads are counted.
const { db } = withDatabase({ poolSize: 1 });
const hourMs = 3_600_000;

// Another hour may begin during a test.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

async function addTarget() {
  const hook = await addHook(db);
  const targetId = await addAction(db, hook);
  const { accountId, id: hookId } = hook;
  return { hook, targetId, accountId, hookId };
}

type Target = Awaited<ReturnType<typeof addTarget>>;

/** A run that was created that long before now. With a duration, it made a call. */
async function run(
  { accountId, hookId, targetId }: Target,
  agoMs: number,
  state: StoredRunState,
  durationMs?: number,
): Promise<string> {
  const id = idFloor(Date.now() - agoMs).slice(0, 14) + newId().slice(14);
  await addRun(db, { id, accountId, hookId, targetId, state });
  if (durationMs !== undefined)
    await db.$executeRaw`
      update runs set started_at = now(), duration_ms = ${durationMs}::int where id = ${id}::uuid`;
  return id;
}

it("counts the runs of its targets by hour and state, the same before and after a roll-up", async () => {
  const target = await addTarget();
  const other = await addTarget();
  for (const state of ["succeeded", "failed", "failed", "skipped"] as const)
    await run(target, 3 * hourMs, state, state === "skipped" ? undefined : 100);
  await run(target, 0, "retrying");
  await run(target, 25 * hourMs, "failed");
  await run(other, 3 * hourMs, "failed");
  const read = (range?: "7d" | "30d") =>
    readTargetActivity(db, target.accountId, [target.targetId], range);
  const before = await read();
  expect(before).toMatchObject({
    runs: { succeeded: 1, failed: 2, skipped: 1, retrying: 1 },
    successRate: 1 / 4,
  });
  expect(before.buckets).toHaveLength(24);
  expect(before.buckets.at(-4)?.runs).toMatchObject({ succeeded: 1, failed: 2, skipped: 1 });
  expect(before.buckets.at(-1)?.runs).toMatchObject({ failed: 0, retrying: 1 });
  const inDays = [await read("7d"), await read("30d")];
  expect(inDays.map(({ runs, buckets }) => [runs.failed, buckets.length])).toEqual([
    [3, 28],
    [3, 30],
  ]);
  while (await rollUpStep(db, Date.now() - 48 * hourMs));
  expect(await read()).toEqual(before);
  expect([await read("7d"), await read("30d")]).toEqual(inDays);
  const otherAccount = await addAccount(db);
  expect((await readTargetActivity(db, otherAccount, [target.targetId])).runs.failed).toBe(0);
});

it("measures the calls of each hour: the last attempt, or the steps together, but no skipped runs", async () => {
  const target = await addTarget();
  for (const durationMs of [10, 20, 30]) await run(target, 2 * hourMs, "succeeded", durationMs);
  await run(target, 2 * hourMs, "skipped");
  const steps = await run(target, hourMs, "succeeded");
  for (const [key, durationMs] of [
    ["find", 100],
    ["send", 200],
  ] as const)
    await db.$executeRaw`
      insert into run_steps (id, account_id, key, item, state, started_at, duration_ms)
      values (${steps}::uuid, ${target.accountId}::uuid, ${key}, -1, 'succeeded', now(), ${durationMs}::int)`;
  const { buckets, latency } = await readTargetActivity(db, target.accountId, [target.targetId]);
  expect(buckets.at(-3)?.latency).toEqual({ p50Ms: 20, p95Ms: 29 });
  expect(buckets.at(-2)?.latency).toEqual({ p50Ms: 300, p95Ms: 300 });
  expect(buckets.at(-1)?.latency).toBeNull();
  expect(latency?.p50Ms).toBe(25);
});

it("reads a few thousand rows at most, however much ran", { tags: "variant" }, async () => {
  const { accountId, hookId, targetId } = await addTarget();
  await db.$executeRaw`truncate statistics_hours, run_statistics`;
  await db.$queryRaw`select ensure_weekly_partitions('runs', now() - interval '2 days', now())`;
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, state, finished_at, started_at, duration_ms)
    select uuid_v7_at(now() - interval '1 minute' - n * interval '2 seconds'), ${accountId}::uuid, ${targetId}::uuid, ${hookId}::uuid,
      'succeeded', now(), now(), 5
    from generate_series(1, 40000) n`;
  await db.$executeRawUnsafe("vacuum analyze runs");
  while (await rollUpStep(db, Date.now() - 48 * hourMs));
  const read = await countReads(db, /^(?:runs|queue|run_statistics)/, async () => {
    const { runs } = await readTargetActivity(db, accountId, [targetId]);
    expect(runs.succeeded).toBeGreaterThan(30_000);
  });
  expect(read).toBeLessThan(6_000);
});
