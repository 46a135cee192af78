import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { type ClaimedRun, maxCrashes } from "./claimed-run.ts";
import { finishRuns } from "./finish-runs.ts";
import { releaseRuns } from "./release-runs.ts";
import { rescueRuns } from "./rescue-runs.ts";
import { type ActionQueue, createQueueFixture } from "./testing/queue-fixture.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

const actionCap = 3;
const queueCount = 3;
let startedAtMs = Date.now();

type Step =
  | {
      readonly do: "enqueue";
      readonly actionQueue: number;
      readonly count: number;
      readonly isDue: boolean;
    }
  | { readonly do: "claim"; readonly slots: number }
  | { readonly do: "finish"; readonly pick: number; readonly isRetry: boolean }
  | { readonly do: "finishStale"; readonly pick: number }
  | { readonly do: "release" | "crash"; readonly pick: number }
  | { readonly do: "pause" | "resume"; readonly actionQueue: number };

const pick = fc.nat(50);
const actionQueue = fc.nat(queueCount - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("enqueue" as const),
    actionQueue,
    count: fc.integer({ min: 1, max: 5 }),
    isDue: fc.boolean(),
  }),
  fc.record({ do: fc.constant("claim" as const), slots: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ do: fc.constant("finish" as const), pick, isRetry: fc.boolean() }),
  fc.record({ do: fc.constant("finishStale" as const), pick }),
  fc.record({ do: fc.constantFrom("release" as const, "crash" as const), pick }),
  fc.record({ do: fc.constantFrom("pause" as const, "resume" as const), actionQueue }),
);

/** The expected state of a run, tracked without SQL. */
type Expected = {
  readonly actionQueue: number;
  isDue: boolean;
  isDone: boolean;
  holder: ClaimedRun | null;
  crashes: number;
  attempts: number;
};

class Oracle {
  readonly runs = new Map<string, Expected>();
  readonly pausedQueues = new Set<number>();
  readonly stale: ClaimedRun[] = [];

  held(): ClaimedRun[] {
    return [...this.runs.values()].flatMap(({ holder }) => (holder === null ? [] : [holder]));
  }

  expect(id: string): Expected {
    const expected = this.runs.get(id);
    if (expected === undefined) throw new Error(`The queue returned ${id}, which was never added`);
    return expected;
  }

  checkClaim(claimed: readonly ClaimedRun[]): void {
    for (const run of claimed) {
      const known = this.expect(run.id);
      expect(known).toMatchObject({ isDue: true, isDone: false, holder: null });
      expect(this.pausedQueues.has(known.actionQueue)).toBe(false);
      expect(run.attemptNumber).toBe(known.attempts + 1);
      known.holder = run;
    }
    for (let index = 0; index < queueCount; index += 1) {
      const running = [...this.runs.values()].filter(
        (run) => run.actionQueue === index && run.holder !== null,
      );
      expect(running.length).toBeLessThanOrEqual(actionCap);
    }
  }
}

async function perform(
  action: Step,
  oracle: Oracle,
  actionQueues: readonly ActionQueue[],
): Promise<void> {
  const held = oracle.held();
  const chosen = "pick" in action ? held[action.pick % Math.max(1, held.length)] : undefined;
  switch (action.do) {
    case "enqueue": {
      const target = actionQueues[action.actionQueue];
      if (target === undefined) return;
      const ids = await queue.addRuns(target, action.count, {
        dueInMs: action.isDue ? -10 : 3_600_000,
      });
      for (const id of ids) {
        oracle.runs.set(id, {
          actionQueue: action.actionQueue,
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
      return oracle.checkClaim(await queue.claim({ freeSlots: action.slots, actionCap }));
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
        .$executeRaw`update queue set leased_until = now() - interval '1 second' where id = ${chosen.id}::uuid`;
      const known = oracle.expect(chosen.id);
      const isQuarantined = known.crashes + 1 >= maxCrashes;
      expect(await rescueRuns(queue.db, { lostWorkerIds: [], actionCap })).toMatchObject([
        { id: chosen.id, isQuarantined },
      ]);
      Object.assign(known, {
        holder: null,
        isDone: isQuarantined,
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
        .$executeRaw`update hooks set status = ${status} where id = ${actionQueues[action.actionQueue]?.hookId}::uuid`;
      if (action.do === "pause") oracle.pausedQueues.add(action.actionQueue);
      else oracle.pausedQueues.delete(action.actionQueue);
      return;
    }
    default:
      return action satisfies never;
  }
}

function finish(run: ClaimedRun, isRetry: boolean): Promise<ReadonlySet<string>> {
  // Attempts of a run that start in the same millisecond would be one that is repeated.
  startedAtMs += 1;
  const attempt = {
    id: newId(),
    number: run.attemptNumber,
    startedAtMs,
    durationMs: 1,
    requestJson: null,
    responseJson: null,
    errorCode: null,
    errorMessage: null,
  };
  const next = isRetry
    ? ({ state: "retrying", reason: { code: "retry", detail: "x" }, delayMs: 3_600_000 } as const)
    : ({ state: "succeeded", reason: null } as const);
  return finishRuns(queue.db, [{ ...run, attemptCount: run.attemptNumber, next, attempt }]);
}

/** Claims until the queue is empty: a due and free run is always found. */
async function drain(oracle: Oracle): Promise<void> {
  await queue.db.$executeRaw`update hooks set status = 'active'`;
  oracle.pausedQueues.clear();
  for (;;) {
    oracle.checkClaim(await queue.claim({ actionCap }));
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

it("in any order of events, the queue returns what is due, once, within its caps, and loses nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40, size: "max" }),
      async (steps) => {
        await emptyTables(queue.db, "queue", "runs", "attempts", "deliveries", "accounts");
        const accountId = await queue.addAccount();
        const actionQueues = [
          await queue.addActionQueue({ accountId }),
          await queue.addActionQueue({ accountId }),
          await queue.addActionQueue(),
        ];
        const oracle = new Oracle();
        for (const action of steps) await perform(action, oracle, actionQueues);
        await drain(oracle);
      },
    ),
    { numRuns: 15, interruptAfterTimeLimit: 15_000 },
  );
});
