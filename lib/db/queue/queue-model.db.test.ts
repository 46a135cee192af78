import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { newId } from "#lib/ids.ts";
import { type ClaimedRun, maxCrashes } from "./claim-runs.ts";
import { finishRuns } from "./finish-runs.ts";
import { reapRuns } from "./reap-runs.ts";
import { releaseRuns } from "./release-runs.ts";
import { createQueueFixture, type Lane } from "./testing/queue-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

const laneCap = 3;
const laneCount = 3;

type Step =
  | { readonly do: "enqueue"; readonly lane: number; readonly count: number; readonly isDue: boolean }
  | { readonly do: "claim"; readonly slots: number }
  | { readonly do: "finish"; readonly pick: number; readonly isRetry: boolean }
  | { readonly do: "finishStale"; readonly pick: number }
  | { readonly do: "release" | "crash"; readonly pick: number }
  | { readonly do: "pause" | "resume"; readonly lane: number };

const pick = fc.nat(50);
const lane = fc.nat(laneCount - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("enqueue" as const),
    lane,
    count: fc.integer({ min: 1, max: 5 }),
    isDue: fc.boolean(),
  }),
  fc.record({ do: fc.constant("claim" as const), slots: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ do: fc.constant("finish" as const), pick, isRetry: fc.boolean() }),
  fc.record({ do: fc.constant("finishStale" as const), pick }),
  fc.record({ do: fc.constantFrom("release" as const, "crash" as const), pick }),
  fc.record({ do: fc.constantFrom("pause" as const, "resume" as const), lane }),
);

/** What has to be true of a run, kept without SQL. */
type Expected = {
  readonly lane: number;
  isDue: boolean;
  isDone: boolean;
  holder: ClaimedRun | null;
  crashes: number;
  attempts: number;
};

class Oracle {
  readonly runs = new Map<string, Expected>();
  readonly pausedLanes = new Set<number>();
  readonly stale: ClaimedRun[] = [];

  held(): ClaimedRun[] {
    return [...this.runs.values()].flatMap(({ holder }) => (holder === null ? [] : [holder]));
  }

  expect(id: string): Expected {
    const expected = this.runs.get(id);
    if (expected === undefined) throw new Error(`The queue gave ${id}, which nobody put into it`);
    return expected;
  }

  checkClaim(claimed: readonly ClaimedRun[]): void {
    for (const run of claimed) {
      const known = this.expect(run.id);
      expect(known).toMatchObject({ isDue: true, isDone: false, holder: null });
      expect(this.pausedLanes.has(known.lane)).toBe(false);
      expect(run.attemptNumber).toBe(known.attempts + 1);
      known.holder = run;
    }
    for (let index = 0; index < laneCount; index += 1) {
      const running = [...this.runs.values()].filter((run) => run.lane === index && run.holder !== null);
      expect(running.length).toBeLessThanOrEqual(laneCap);
    }
  }
}

async function perform(action: Step, oracle: Oracle, lanes: readonly Lane[]): Promise<void> {
  const held = oracle.held();
  const chosen = "pick" in action ? held[action.pick % Math.max(1, held.length)] : undefined;
  switch (action.do) {
    case "enqueue": {
      const target = lanes[action.lane];
      if (target === undefined) return;
      const ids = await queue.addRuns(target, action.count, { dueInMs: action.isDue ? -10 : 3_600_000 });
      for (const id of ids) {
        oracle.runs.set(id, {
          lane: action.lane,
          isDue: action.isDue,
          isDone: false,
          holder: null,
          crashes: 0,
          attempts: 0,
        });
      }
      return;
    }
    case "claim":
      return oracle.checkClaim(await queue.claim({ freeSlots: action.slots, laneCap }));
    case "finish": {
      if (chosen === undefined) return;
      const known = oracle.expect(chosen.id);
      expect((await finish(chosen, action.isRetry)).size).toBe(0);
      Object.assign(known, {
        holder: null,
        isDue: !action.isRetry,
        isDone: !action.isRetry,
        crashes: 0,
        attempts: known.attempts + 1,
      });
      oracle.stale.push(chosen);
      return;
    }
    case "finishStale": {
      const stale = oracle.stale[action.pick % Math.max(1, oracle.stale.length)];
      if (stale !== undefined) expect((await finish(stale, false)).size).toBe(1);
      return;
    }
    case "release":
      if (chosen === undefined) return;
      await releaseRuns(queue.db, [chosen]);
      oracle.expect(chosen.id).holder = null;
      oracle.stale.push(chosen);
      return;
    case "crash": {
      if (chosen === undefined) return;
      await queue.db
        .$executeRaw`update runs set leased_until = now() - interval '1 second' where id = ${chosen.id}::uuid`;
      const known = oracle.expect(chosen.id);
      const isParked = known.crashes + 1 >= maxCrashes;
      expect(await reapRuns(queue.db, { lostWorkerIds: [], laneCap })).toMatchObject([
        { id: chosen.id, isParked },
      ]);
      Object.assign(known, {
        holder: null,
        isDone: isParked,
        crashes: known.crashes + 1,
        attempts: known.attempts + 1,
      });
      oracle.stale.push(chosen);
      return;
    }
    case "pause":
    case "resume": {
      const status = action.do === "pause" ? "paused" : "active";
      await queue.db
        .$executeRaw`update hooks set status = ${status} where id = ${lanes[action.lane]?.hookId}::uuid`;
      if (action.do === "pause") oracle.pausedLanes.add(action.lane);
      else oracle.pausedLanes.delete(action.lane);
      return;
    }
    default:
      return action satisfies never;
  }
}

function finish(run: ClaimedRun, isRetry: boolean): Promise<ReadonlySet<string>> {
  const attempt = {
    id: newId(),
    number: run.attemptNumber,
    startedAtMs: Date.now(),
    durationMs: 1,
    requestJson: null,
    responseJson: null,
    errorCode: null,
    errorMessage: null,
  };
  const next = isRetry
    ? ({ state: "retrying", reason: "retry: x", delayMs: 3_600_000 } as const)
    : ({ state: "succeeded", reason: null } as const);
  return finishRuns(queue.db, [
    { id: run.id, leaseId: run.leaseId, accountId: run.accountId, next, attempt },
  ]);
}

/** Nothing that is due and free is ever out of reach. */
async function drain(oracle: Oracle): Promise<void> {
  await queue.db.$executeRaw`update hooks set status = 'active'`;
  oracle.pausedLanes.clear();
  for (;;) {
    oracle.checkClaim(await queue.claim({ laneCap }));
    const held = oracle.held();
    if (held.length === 0) break;
    for (const run of held) {
      await finish(run, false);
      Object.assign(oracle.expect(run.id), { holder: null, isDone: true });
    }
  }
  const left = [...oracle.runs.values()].filter((run) => run.isDue && !run.isDone);
  expect(left).toEqual([]);
}

it("whatever happens in whatever order, the queue gives what is due, once, within its caps, and loses nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: "max" }), async (steps) => {
      await queue.db.$executeRaw`truncate runs, attempts, deliveries, actions, hooks, accounts cascade`;
      const accountId = await queue.addAccount();
      const lanes = [
        await queue.addLane({ accountId }),
        await queue.addLane({ accountId }),
        await queue.addLane(),
      ];
      const oracle = new Oracle();
      for (const action of steps) await perform(action, oracle, lanes);
      await drain(oracle);
    }),
    { numRuns: 15, interruptAfterTimeLimit: 15_000 },
  );
});
