import { afterAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import type { ClaimedRun } from "./claimed-run.ts";
import { type FinishedRun, finishRuns, type NewAttempt, type NextState } from "./finish-runs.ts";
import { releaseRuns } from "./release-runs.ts";
import { renewLeases } from "./renew-leases.ts";
import { createQueueFixture } from "./testing/queue-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

const attempt = (run: ClaimedRun): NewAttempt => ({
  id: newId(),
  number: run.attemptNumber,
  startedAtMs: Date.now(),
  durationMs: 12,
  requestJson: '{"method":"POST"}',
  responseJson: '{"status":200}',
  errorCode: null,
  errorMessage: null,
});

type Changes = Partial<Pick<FinishedRun, "attempt" | "health" | "version">>;

function finished(run: ClaimedRun, next: NextState, more: Changes = {}): FinishedRun {
  return {
    ...run,
    attemptCount: more.attempt === null ? run.attemptNumber - 1 : run.attemptNumber,
    next,
    attempt: attempt(run),
    ...more,
  };
}

async function claimOne(): Promise<ClaimedRun> {
  const actionQueue = await queue.addActionQueue();
  const [id] = await queue.addRuns(actionQueue, 1);
  const run = (await queue.claim()).find((claimed) => claimed.id === id);
  if (run === undefined) throw new Error("The run was not claimed");
  return run;
}

const succeeded = { state: "succeeded", reason: null } as const;

/** Makes another worker claim the run, as if its own worker was unavailable. */
async function takeOver(run: ClaimedRun): Promise<ClaimedRun> {
  const leaseId = newId();
  await queue.db
    .$executeRaw`update queue set lease_id = ${leaseId}::uuid where id = ${run.id}::uuid`;
  return { ...run, leaseId };
}

describe("finish", () => {
  it("moves a run whose lease is renewed at the same moment", async () => {
    const [won, retried, released] = [await claimOne(), await claimOne(), await claimOne()];
    const written: Promise<unknown>[] = [];
    await queue.db.$transaction(async (tx) => {
      const leases = [won, retried, released];
      expect(await renewLeases(tx, { leases, leaseMs: 60_000, workerId: 1 })).toHaveProperty(
        "size",
        3,
      );
      const later = {
        state: "retrying",
        reason: { code: "timeout", detail: "no" },
        delayMs: 60_000,
      };
      written.push(
        finishRuns(queue.db, [finished(won, succeeded), finished(retried, later as NextState)]),
        releaseRuns(queue.db, [released]),
      );
      await expect.poll(() => countWaiting(queue.db)).toBe(2);
    });
    expect(await Promise.all(written)).toEqual([new Set(), undefined]);
    expect(await queue.readRun(won.id)).toMatchObject({ state: "succeeded", is_finished: true });
    expect(await queue.readRun(retried.id)).toMatchObject({ state: "retrying", lease_id: null });
    expect(await queue.readRun(released.id)).toMatchObject({ state: "queued", lease_id: null });
  });

  it("moves each run of a batch to its own state and records its attempt", async () => {
    const [won, lost, skipped] = [await claimOne(), await claimOne(), await claimOne()];
    const late = await finishRuns(queue.db, [
      finished(won, succeeded),
      finished(lost, { state: "failed", reason: { code: "not_retried", detail: "no" } }),
      finished(
        skipped,
        { state: "skipped", reason: { code: "filter_not_matched", detail: "no" } },
        { attempt: null },
      ),
    ]);
    expect(late.size).toBe(0);
    const ended = { lease_id: null, worker_id: null, lease_left_ms: null, is_finished: true };
    expect(await queue.readRun(won.id)).toMatchObject({
      ...ended,
      state: "succeeded",
      reason: null,
      attempt_count: 1,
    });
    expect(await queue.readRun(lost.id)).toMatchObject({
      ...ended,
      state: "failed",
      reason: "not_retried: no",
    });
    expect(await queue.readRun(skipped.id)).toMatchObject({
      ...ended,
      state: "skipped",
      attempt_count: 0,
    });
    expect(await queue.readAttempts(won.id)).toMatchObject([
      {
        number: 1,
        request: '{"method":"POST"}',
        response: '{"status":200}',
        error_code: null,
        late: false,
      },
    ]);
    expect(await queue.readAttempts(skipped.id)).toEqual([]);
  });

  it("makes a retry due by the database's clock and moves it back in the queue", async () => {
    const run = await claimOne();
    await finishRuns(queue.db, [
      finished(run, {
        state: "retrying",
        reason: { code: "retry", detail: "503" },
        delayMs: 60_000,
      }),
    ]);
    const stored = await queue.readRun(run.id);
    expect(stored).toMatchObject({
      state: "retrying",
      attempt_count: 1,
      lease_id: null,
      is_finished: false,
    });
    expect(stored.due_in_ms).toBeGreaterThan(55_000);
    expect(stored.due_in_ms).toBeLessThanOrEqual(60_000);
  });

  it("by a stale worker is recorded as late and leaves the run to its current holder", async () => {
    const stale = await claimOne();
    const holder = await takeOver(stale);
    const late = await finishRuns(queue.db, [
      finished(stale, { state: "failed", reason: { code: "not_retried", detail: "no" } }),
    ]);
    expect([...late]).toEqual([stale.id]);
    expect(await queue.readRun(stale.id)).toMatchObject({
      state: "queued",
      lease_id: holder.leaseId,
    });
    await finishRuns(queue.db, [finished(holder, succeeded)]);
    expect((await queue.readRun(stale.id)).state).toBe("succeeded");
    expect((await queue.readAttempts(stale.id)).map((row) => row.late)).toEqual([false, true]);
  });

  const retry = { state: "retrying", reason: { code: "retry", detail: "503" }, delayMs: 60_000 };
  const failed = { state: "failed", reason: { code: "not_retried", detail: "410" } };
  const filtered = { state: "skipped", reason: { code: "filter", detail: "no" } };
  it.each<[string, NextState, Changes, number]>([
    ["a success", succeeded, {}, 1],
    ["a failure", failed as NextState, {}, 1],
    ["a retry", retry as NextState, {}, 1],
    ["a run without a call", filtered as NextState, { attempt: null }, 0],
    ["a retry without a call", retry as NextState, { attempt: null }, 0],
  ])("of %s can be repeated, if its response was lost, and isn't late", async (_, ...given) => {
    const [next, changes, attempts] = given;
    const [run, other, ...stale] = [await claimOne(), await claimOne(), await claimOne()];
    const result = finished(run, next, changes);
    expect(await finishRuns(queue.db, [result])).toEqual(new Set());
    // What wasn't stored comes with the same statement.
    await Promise.all(stale.map(takeOver));
    const again = [result, finished(other, succeeded), ...stale.map((one) => finished(one, next))];
    expect(await finishRuns(queue.db, again)).toEqual(new Set(stale.map(({ id }) => id)));
    expect(await queue.readAttempts(run.id)).toHaveLength(attempts);
    expect(await queue.readRun(run.id)).toMatchObject({ state: next.state });
    expect((await queue.readRun(other.id)).state).toBe("succeeded");
    // Also if another worker has claimed it since, as far as an attempt shows it.
    if (next.state === "retrying" && attempts > 0) await takeOver(run);
    expect(await finishRuns(queue.db, [result])).toEqual(new Set());
    expect(await queue.readAttempts(run.id)).toHaveLength(attempts);
  });

  it("stores JSON with NUL and with lone surrogates", async () => {
    const run = await claimOne();
    const requestJson = JSON.stringify({ body: "a\0b\ud800c" });
    await finishRuns(queue.db, [
      finished(run, succeeded, { attempt: { ...attempt(run), requestJson } }),
    ]);
    expect((await queue.readAttempts(run.id))[0]?.request).toBe(requestJson);
  });

  it("leaves a run canceled if it was canceled meanwhile", async () => {
    const run = await claimOne();
    await queue.db.$executeRaw`
      with gone as (delete from queue where id = ${run.id}::uuid returning *)
      insert into runs (id, account_id, target_id, hook_id, delivery_id, finished_at, state)
      select id, account_id, target_id, hook_id, delivery_id, now(), 'cancelled' from gone`;
    expect((await finishRuns(queue.db, [finished(run, succeeded)])).size).toBe(1);
    expect((await queue.readRun(run.id)).state).toBe("cancelled");
  });
});

describe("renew", () => {
  it("extends only its own leases and says which", async () => {
    const [mine, stale] = [await claimOne(), await claimOne()];
    const holder = await takeOver(stale);
    await queue.db.$executeRaw`update queue set leased_until = now() + interval '1 second'`;
    const held = await renewLeases(queue.db, {
      leases: [mine, stale],
      leaseMs: 30_000,
      workerId: 7,
    });
    expect([...held]).toEqual([mine.id]);
    expect(await queue.readRun(mine.id)).toMatchObject({ worker_id: 7, lease_id: mine.leaseId });
    expect((await queue.readRun(mine.id)).lease_left_ms).toBeGreaterThan(20_000);
    const others = await queue.readRun(stale.id);
    expect(others).toMatchObject({ lease_id: holder.leaseId, worker_id: 1 });
    expect(others.lease_left_ms).toBeLessThan(2_000);
  });

  it("skips runs that are being finished, because each would wait for the other", async () => {
    await queue.addRuns(await queue.addActionQueue(), 2);
    const [finishing, other] = await queue.claim();
    if (finishing === undefined || other === undefined) throw new Error("Nothing was claimed");
    await queue.db.$transaction(async (tx) => {
      await tx.$executeRaw`select 1 from queue where id = ${finishing.id}::uuid for no key update`;
      const held = await renewLeases(queue.db, {
        leases: [finishing, other],
        leaseMs: 30_000,
        workerId: 7,
      });
      expect([...held]).toEqual([other.id]);
    });
  });
});

describe("release", () => {
  it("gives back its own runs as if they had never been claimed, and no others", async () => {
    const [mine, stale] = [await claimOne(), await claimOne()];
    const holder = await takeOver(stale);
    await releaseRuns(queue.db, [mine, stale]);
    expect(await queue.readRun(mine.id)).toMatchObject({
      state: "queued",
      attempt_count: 0,
      crash_count: 0,
      lease_id: null,
      worker_id: null,
    });
    expect((await queue.readRun(stale.id)).lease_id).toBe(holder.leaseId);
    expect((await queue.claim()).map((run) => run.id)).toContain(mine.id);
  });
});
