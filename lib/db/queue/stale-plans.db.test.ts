import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { queueSettings } from "#lib/db/postgres/plan-settings.ts";
import { claimRuns } from "./claim/claim-runs.ts";
import type { ClaimedRun } from "./claimed-run.ts";
import { finishRuns } from "./finish-runs.ts";
import { renewLeases } from "./renew-leases.ts";
import { createQueueFixture } from "./testing/queue-fixture.ts";

it("plans from when the queue was empty are still good once it is full", {
  tags: "variant",
}, async () => {
  await using queue = await createQueueFixture();
  // The test uses one connection, whose plans are kept.
  const db = createDatabase({
    url: queue.url,
    settings: { ...queueSettings, plan_cache_mode: "force_generic_plan" },
    poolSize: 1,
    applicationName: "stale plans",
  });
  const actionQueue = await queue.addActionQueue();
  await queue.db.$executeRaw`vacuum analyze`;
  const claim = async (freeSlots: number) => {
    const options = {
      workerId: 1,
      leaseId: newId(),
      leaseMs: 30_000,
      freeSlots,
      freeBytes: 1_000_000,
    };
    return (await claimRuns(db, { ...options, actionCap: 80, accountCap: 200 })).runs;
  };
  const finish = (runs: readonly ClaimedRun[], isRetry: boolean) => {
    const next = isRetry
      ? ({ state: "retrying", reason: { code: "retry", detail: "x" }, delayMs: 3_600_000 } as const)
      : ({ state: "succeeded", reason: null } as const);
    const made = {
      durationMs: 1,
      requestJson: "{}",
      responseJson: "{}",
      errorCode: null,
      errorMessage: null,
    };
    return finishRuns(
      db,
      runs.map((run) => ({
        ...run,
        attemptCount: 1,
        next,
        attempt: { ...made, id: newId(), number: 1, startedAtMs: Date.now() },
      })),
    );
  };
  const blocks = async () => {
    await db.$queryRaw`select 1 from pg_stat_force_next_flush()`;
    await db.$queryRaw`select 1 from pg_stat_clear_snapshot()`;
    const [row] = await db.$queryRaw<{ blocks: number }[]>`
      select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float8 as blocks
      from pg_statio_user_tables where relname = 'queue'`;
    return row?.blocks ?? Number.NaN;
  };
  const cycle = async () => {
    const before = await blocks();
    const runs = await claim(1_000);
    const leases = runs.map(({ id, leaseId }) => ({ id, leaseId }));
    expect((await renewLeases(db, { leases, leaseMs: 30_000, workerId: 1 })).size).toBe(
      runs.length,
    );
    const half = Math.ceil(runs.length / 2);
    expect((await finish(runs.slice(0, half), false)).size).toBe(0);
    expect((await finish(runs.slice(half), true)).size).toBe(0);
    return { count: runs.length, blocks: (await blocks()) - before };
  };
  await queue.addRuns(actionQueue, 2);
  await cycle();
  await queue.addRuns(actionQueue, 30_000);
  const full = await cycle();
  expect(full.count).toBe(80);
  expect(full.blocks / full.count).toBeLessThan(50);
  await db.$disconnect();
});
