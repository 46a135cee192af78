import { expect, it } from "vitest";
import type { ClaimedActionRun } from "#lib/db/queue/claimed-run.ts";
import { WaitingRuns } from "./waiting-runs.ts";

const run = (targetId: string, more: Partial<ClaimedActionRun> = {}): ClaimedActionRun => ({
  id: crypto.randomUUID(),
  leaseId: "lease",
  accountId: "account",
  targetId,
  targetVersion: "1",
  kind: "action",
  hookId: `hook of ${targetId}`,
  deliveryId: "delivery",
  delivery: null,
  attemptNumber: 1,
  attemptsBefore: 0,
  retriedAtMs: null,
  bodySize: 10,
  breakers: [],
  isUnkeyed: false,
  isHandedOver: true,
  hasOwnId: false,
  isCrashCandidate: false,
  ...more,
});

/** Waiting runs of two actions, and what has started, by action. */
function setUp() {
  const waiting = new WaitingRuns();
  const a = [run("a"), run("a"), run("a")];
  const b = [run("b"), run("b", { accountId: "other" })];
  waiting.add([...a, ...b], 1_000);
  const started: ClaimedActionRun[] = [];
  const start = (room: number) =>
    waiting.start(
      () => room,
      (some) => void started.push(...some),
    );
  return { waiting, a, b, start, started };
}

it("starts the oldest of each action, and an action with more waits for the others", () => {
  const { waiting, a, b, start, started } = setUp();
  start(0);
  expect(started).toEqual([]);
  start(1);
  expect(started).toEqual([a[0], b[0]]);
  start(2);
  expect(started).toEqual([a[0], b[0], a[1], a[2], b[1]]);
  expect([waiting.size, waiting.bytes, waiting.ofAccount("account")]).toEqual([0, 0, 0]);
});

it("lets the action that started last come last", () => {
  const { waiting, a, b } = setUp();
  const started: ClaimedActionRun[] = [];
  /** One slot for all. */
  const startOne = () => {
    const before = started.length;
    const room = () => (started.length === before ? 1 : 0);
    waiting.start(room, (some) => void started.push(...some));
  };
  for (let slot = 0; slot < 4; slot += 1) startOne();
  expect(started).toEqual([a[0], b[0], a[1], b[1]]);
});

it("counts what waits by action and account", () => {
  const { waiting } = setUp();
  expect([waiting.size, waiting.bytes]).toEqual([5, 50]);
  expect([waiting.ofAction("a"), waiting.ofAction("b"), waiting.ofAction("c")]).toEqual([3, 2, 0]);
  expect([waiting.ofAccount("account"), waiting.ofAccount("other")]).toEqual([4, 1]);
});

it("gives back what is late, what is of a hook, and all", () => {
  const { waiting, a, b } = setUp();
  const late = run("a");
  waiting.add([late], 2_000);
  expect(waiting.takeLate(1_000)).toEqual([]);
  expect(waiting.takeOfHook("hook of b")).toEqual(b);
  expect(waiting.takeLate(1_001)).toEqual(a);
  expect(waiting.list()).toEqual([late]);
  expect(waiting.takeAll()).toEqual([late]);
  expect([waiting.size, waiting.list()]).toEqual([0, []]);
});
