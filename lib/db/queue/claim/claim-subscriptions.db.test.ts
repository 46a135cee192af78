import { afterAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { openSealer } from "#lib/open-sealer.ts";
import type { ClaimedRun } from "../claimed-run.ts";
import { type FinishedRun, finishRuns, type NextState } from "../finish-runs.ts";
import { rescueRuns } from "../rescue-runs.ts";
import { createQueueFixture } from "../testing/queue-fixture.ts";
import { sendFixture } from "../testing/send-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
const { addSubscription, addEvent } = sendFixture(queue.db, openSealer("a secret for tests"));

const succeeded: NextState = { state: "succeeded", reason: null };
const retrying: NextState = {
  state: "retrying",
  reason: { code: "retry", detail: "The receiver responded with 503" },
  delayMs: 3_600_000,
};

function eventOf(run: ClaimedRun): string | null {
  return run.kind === "send" ? run.eventId : null;
}

function finish(runs: readonly ClaimedRun[], next: NextState) {
  const toFinished = (run: ClaimedRun): FinishedRun => ({
    ...run,
    attemptCount: run.attemptNumber,
    next,
    attempt: null,
  });
  return finishRuns(queue.db, runs.map(toFinished));
}

/** Moves the rate's clock back, as if the time had passed. */
async function passSeconds(targetId: string, seconds: number): Promise<void> {
  await queue.db.$executeRaw`
    update target_rates set next_at = next_at - make_interval(secs => ${seconds}) where target_id = ${targetId}::uuid`;
}

describe("the runs of a subscription", () => {
  it("are claimed with their event, and end in the history with it", async () => {
    const subscription = await addSubscription(await queue.addAccount());
    const event = await addEvent([subscription]);
    const runs = await queue.claim();
    expect(runs).toMatchObject([
      { id: event.runIds[0], targetId: subscription.id, eventId: event.id, kind: "send" },
    ]);
    expect(await finish(runs, succeeded)).toEqual(new Set());
    expect(await queue.db.run.findMany({ where: { eventId: event.id } })).toMatchObject([
      { targetId: subscription.id, hookId: null, deliveryId: null, state: "succeeded" },
    ]);
  });

  it("wait while it is disabled or pending", async () => {
    const subscription = await addSubscription(await queue.addAccount());
    await addEvent([subscription]);
    const where = { id: subscription.id };
    for (const status of ["disabled", "pending"]) {
      await queue.db.subscription.update({ where, data: { status } });
      expect(await queue.claim()).toEqual([]);
    }
    await queue.db.subscription.update({ where, data: { status: "active" } });
    const runs = await queue.claim();
    expect(runs).toHaveLength(1);
    await finish(runs, succeeded);
  });
});

describe("an ordered subscription", () => {
  it("gives one run at a time by position, and the next only once that one has ended", async () => {
    const subscription = await addSubscription(await queue.addAccount(), { ordered: true });
    const before = await addEvent([subscription]);
    const events = [];
    for (const number of [1, 2, 3])
      events.push(await addEvent([subscription], { number }, { isOrdered: true }));
    const claimOne = async () => {
      const runs = await queue.claim();
      expect(await queue.claim()).toEqual([]);
      return runs;
    };
    // These runs are from before the subscription was ordered.
    const first = await claimOne();
    expect(first.map(eventOf)).toEqual([before.id]);
    await finish(first, succeeded);
    const second = await claimOne();
    expect(second.map(eventOf)).toEqual([events[0]?.id]);
    await finish(second, retrying);
    expect(await queue.claim()).toEqual([]);
    await queue.db
      .$executeRaw`update queue set due_at = now() - interval '1 ms' where id = ${second[0]?.id ?? ""}::uuid`;
    const again = await claimOne();
    expect(again).toMatchObject([{ id: second[0]?.id, attemptNumber: 2 }]);
    await finish(again, { state: "failed", reason: { code: "not_retried", detail: "No" } });
    for (const event of events.slice(1)) {
      const runs = await claimOne();
      expect(runs.map(eventOf)).toEqual([event.id]);
      await finish(runs, succeeded);
    }
  });

  it("gives runs that a bulk job put back at once in the order of their events", async () => {
    const subscription = await addSubscription(await queue.addAccount(), { ordered: true });
    const events = [];
    for (let number = 0; number < 40; number += 1)
      events.push(await addEvent([subscription], number));
    // The newest is the first in the table, and in the index of equal times.
    await queue.db.$executeRaw`
      with put_back as (delete from queue where target_id = ${subscription.id}::uuid returning *)
      insert into queue (id, account_id, target_id, event_id, due_at, body_size)
      select id, account_id, target_id, event_id, now(), body_size from put_back order by id desc`;
    for (const event of events) {
      const runs = await queue.claim();
      expect(runs.map(eventOf)).toEqual([event.id]);
      await finish(runs, succeeded);
    }
  });

  it("gets its run back from a dead worker, however many newer ones are due before it", async () => {
    const subscription = await addSubscription(await queue.addAccount(), { ordered: true });
    const head = await addEvent([subscription], 0, { isOrdered: true });
    for (let number = 0; number < 40; number += 1)
      await addEvent([subscription], number, { isOrdered: true });
    // The run has been retried: by due time, it is now the last.
    await queue.db.$executeRaw`
      update queue set due_at = now() + interval '1 ms', attempt_count = 1, reason_code = 'retry', reason_detail = 'x'
      where id = ${head.runIds[0]}::uuid`;
    await queue.db.$executeRaw`select pg_sleep(0.01)`;
    const [run] = await queue.claim({ leaseMs: 0 });
    expect(run && eventOf(run)).toBe(head.id);
    const rescued = await rescueRuns(queue.db, { lostWorkerIds: [], actionCap: 3 });
    expect(rescued.map(({ id }) => id)).toEqual([run?.id]);
    await queue.db.$executeRaw`delete from queue`;
  });
});

describe("a rate limit", () => {
  const rate = { count: 300, perSeconds: 60 };

  async function addLimited(target: string): Promise<string> {
    if (target === "action") {
      const actionQueue = await queue.addActionQueue();
      await queue.db.action.update({
        where: { id: actionQueue.targetId },
        data: { rateCount: rate.count, rateSeconds: rate.perSeconds },
      });
      await queue.addRuns(actionQueue, 30);
      return actionQueue.targetId;
    }
    const subscription = await addSubscription(await queue.addAccount(), { rate });
    for (let number = 0; number < 30; number += 1) await addEvent([subscription], number);
    return subscription.id;
  }

  it.each(["subscription", "action"])(
    "of one %s holds over all workers, and unused time is made up for by a second at most",
    async (target) => {
      const targetId = await addLimited(target);
      const claimAll = async () => {
        const claims = await Promise.all(
          [1, 2, 3, 4].map((workerId) => queue.claim({ workerId, leaseId: newId() })),
        );
        return claims.flat().length;
      };
      const countLeased = () => queue.db.queuedRun.count({ where: { NOT: { leaseId: null } } });
      const startedAt = performance.now();
      /**
       * The maximum number of calls: a second's worth, the one that is due now, and those for the
       * time that this test has taken so far.
       */
      const allowed = (seconds: number) =>
        6 + (seconds + (performance.now() - startedAt) / 1_000) * (rate.count / rate.perSeconds);
      expect(await claimAll()).toBeGreaterThanOrEqual(6);
      expect(await countLeased()).toBeLessThanOrEqual(allowed(0));
      await passSeconds(targetId, 0.4);
      expect(await claimAll()).toBeGreaterThanOrEqual(2);
      expect(await countLeased()).toBeLessThanOrEqual(allowed(0.4));
      await passSeconds(targetId, 3_600);
      expect(await claimAll()).toBeGreaterThanOrEqual(5);
      expect(await countLeased()).toBeLessThanOrEqual(allowed(0.4) + 6);
      await queue.db.$executeRaw`delete from queue`;
    },
  );

  it("delays no other subscription", async () => {
    const accountId = await queue.addAccount();
    const limited = await addSubscription(accountId, { rate: { count: 1, perSeconds: 60 } });
    const free = await addSubscription(accountId);
    for (let number = 0; number < 5; number += 1) await addEvent([limited, free], number);
    const runs = await queue.claim();
    expect(runs.filter(({ targetId }) => targetId === free.id)).toHaveLength(5);
    expect(runs.filter(({ targetId }) => targetId === limited.id)).toHaveLength(1);
  });
});
