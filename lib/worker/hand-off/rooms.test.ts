import { describe, expect, it } from "vitest";
import type { ClaimedActionRun } from "#lib/db/queue/claimed-run.ts";
import { InFlightRuns } from "../claim/in-flight-runs.ts";
import { Rooms } from "./rooms.ts";
import { WaitingRuns } from "./waiting-runs.ts";

const limits = { actionCap: 200, accountCap: 400, quickReserve: 200 };

function setUp(maxRuns = 2_048, maxBytes = 64 * 1024 * 1024, mayWait = false) {
  const inFlight = new InFlightRuns({ maxRuns, maxBytes });
  const waiting = new WaitingRuns();
  const rooms = new Rooms(limits, inFlight, waiting);
  rooms.mayWait = mayWait;
  let nowMs = 10_000;
  const run = (more: Partial<ClaimedActionRun> = {}): ClaimedActionRun => ({
    id: crypto.randomUUID(),
    leaseId: "lease",
    accountId: "account",
    targetId: "action",
    targetVersion: "1",
    kind: "action",
    hookId: "hook",
    deliveryId: "delivery",
    delivery: null,
    attemptNumber: 1,
    attemptsBefore: 0,
    retriedAtMs: null,
    bodySize: 0,
    breakers: [],
    isUnkeyed: false,
    isHandedOver: true,
    hasOwnId: false,
    isCrashCandidate: false,
    ...more,
  });
  const add = (count: number, more: Partial<ClaimedActionRun> = {}) => {
    const runs = Array.from({ length: count }, () => run(more));
    for (const one of runs) inFlight.add(one, nowMs);
    rooms.change(runs);
    return runs;
  };
  const take = (links = 1) =>
    Object.fromEntries(rooms.take(links, nowMs).rooms.map(({ key, room }) => [key, room]));
  const learn = (more: Partial<ClaimedActionRun> = {}) => rooms.learn(run(more));
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const wait = (count: number, more: Partial<ClaimedActionRun> = {}) => {
    const runs = Array.from({ length: count }, () => run(more));
    waiting.add(runs, nowMs);
    rooms.change(runs);
  };
  /** This many calls end in each second. */
  const end = (perSecond: number, seconds = 5) => {
    for (let window = 0; window < seconds * 4; window += 1) {
      for (let call = 0; call < perSecond / 4; call += 1) learn();
      nowMs += 250;
      rooms.measure(nowMs);
    }
  };
  return { inFlight, rooms, add, wait, end, run, take, learn, pass, now: () => nowMs };
}

it("only an action that responds quickly has room, three quarters of its slots", () => {
  const { rooms, take, learn } = setUp();
  learn();
  rooms.refresh([]);
  expect(take()).toEqual({ account: 600 });
  rooms.refresh(["action"]);
  expect(take()).toEqual({ action: 150 });
  rooms.refresh([]);
  expect(take()).toMatchObject({ action: 0 });
});

it("an action with a breaker has none", () => {
  const { rooms, take, learn } = setUp();
  learn({ breakers: ["action"] });
  rooms.refresh(["action"]);
  expect(take()).toEqual({});
});

it("claimed and handed over runs together stay within the limit of an action", () => {
  const { rooms, add, take, learn } = setUp();
  learn();
  rooms.refresh(["action"]);
  add(120, { isHandedOver: false });
  expect(take()).toMatchObject({ action: 80 });
  add(30);
  expect(take()).toMatchObject({ action: 50 });
});

it("an action with a backlog leaves its slots to the claim unless runs are handed over", () => {
  const { rooms, add, take, learn, pass, now } = setUp();
  learn();
  rooms.refresh(["action"]);
  expect(take()).toMatchObject({ action: 150 });
  rooms.claimed(["action"]);
  rooms.refresh(["action"]);
  expect(take()).toMatchObject({ action: 50 });
  rooms.handedOver(add(10), now());
  expect(take()).toMatchObject({ action: 140 });
  expect(rooms.reserved("action", now())).toBe(150);
  pass(300);
  rooms.refresh(["action"]);
  expect(take()).toMatchObject({ action: 40 });
  expect(rooms.reserved("action", now())).toBe(10);
});

it("a flood goes back to the hand-off, although a backlog could use all slots", () => {
  const { rooms, add, take, learn, pass, now } = setUp();
  learn();
  rooms.claimed(["action"]);
  rooms.refresh(["action"]);
  expect(rooms.reserved("action", now())).toBe(0);
  rooms.onStored(now());
  expect(rooms.reserved("action", now())).toBe(50);
  add(150, { isHandedOver: false });
  expect(take()).toMatchObject({ action: 50 });
  rooms.handedOver(add(50), now());
  expect(rooms.reserved("action", now())).toBe(150);
  pass(300);
  expect(rooms.reserved("action", now())).toBe(50);
});

it("an action that is slow has no slots but those of its runs", () => {
  const { rooms, add, learn, now } = setUp();
  learn();
  rooms.onStored(now());
  rooms.handedOver(add(10), now());
  expect(rooms.reserved("action", now())).toBe(10);
});

it("an account has the room that a claim would give it, in slots and in bytes", () => {
  const few = setUp(100);
  few.add(10, { targetId: "other" });
  expect(few.take()).toMatchObject({ account: 23 });
  const small = setUp(2_048, 3 * 64 * 1024);
  small.add(1, { bodySize: 64 * 1024 });
  expect(small.take()).toMatchObject({ account: 1 });
  const busy = setUp();
  busy.add(590);
  expect(busy.take()).toMatchObject({ account: 10 });
});

it("the catch processes of a machine share the room, and the workers of all machines the limits", () => {
  const { rooms, take, learn } = setUp();
  learn();
  rooms.refresh(["action"]);
  expect(take(4)).toEqual({ action: 37, account: 150 });
  rooms.workers = 2;
  rooms.startOver();
  expect(take(1)).toEqual({ action: 75, account: 300 });
});

it("a new connection is told every room, also those that haven't changed", () => {
  const { rooms, take, learn } = setUp();
  learn();
  rooms.refresh(["action"]);
  expect(take()).toMatchObject({ action: 150 });
  expect(take()).toEqual({});
  rooms.startOver();
  expect(take()).toMatchObject({ action: 150 });
});

describe("in a flood", () => {
  const flood = () => setUp(2_048, 64 * 1024 * 1024, true);

  it("as many runs may wait as end in three seconds, beyond the slots", () => {
    const { rooms, take, end, wait } = flood();
    end(800);
    rooms.refresh(["action"]);
    expect(take()).toMatchObject({ action: 150 + 2_399 });
    wait(1_000);
    expect(take()).toMatchObject({ action: 150 + 1_399 });
    wait(1_500);
    expect(take()).toMatchObject({ action: 150 });
  });

  it("an action whose calls end seldom has no run that waits", () => {
    const { rooms, take, end } = flood();
    end(4, 1);
    end(0);
    rooms.refresh(["action"]);
    expect(take()).toMatchObject({ action: 150 });
  });

  it("no more wait than fit into memory", () => {
    const { rooms, take, end } = flood();
    end(20_000);
    rooms.refresh(["action"]);
    expect(take()).toMatchObject({ action: 150 + 8_192 });
  });

  it("an account leaves room for another one", () => {
    const { rooms, take, learn, wait } = flood();
    learn({ accountId: "other", targetId: "quiet" });
    wait(4_000);
    rooms.refresh([]);
    expect(take()).toMatchObject({ account: 600 + 96, other: 600 + 512 });
  });

  it("nothing waits beside other workers, and nothing of an action that is slow", () => {
    const { rooms, take, end } = flood();
    end(800);
    rooms.refresh(["action"]);
    rooms.workers = 2;
    rooms.startOver();
    expect(take()).toEqual({ action: 75, account: 300 });
    rooms.workers = 1;
    rooms.refresh([]);
    expect(take()).toMatchObject({ action: 0 });
  });

  it("the bodies that wait count", () => {
    const small = setUp(2_048, 10 * 64 * 1024, true);
    const roomOfAll = () => small.rooms.take(1, small.now()).all;
    expect(roomOfAll()).toBe(10);
    small.wait(4, { bodySize: 64 * 1024 });
    expect(roomOfAll()).toBe(6);
  });

  it("what waits leaves the claim its slots if it may find runs, and stays below a limit that was learned", () => {
    const { rooms, add, learn, run, pass, now } = flood();
    learn();
    rooms.refresh(["action"]);
    add(120);
    expect(rooms.toStart(run(), now())).toBe(80);
    rooms.onStored(now());
    expect(rooms.toStart(run(), now())).toBe(30);
    pass(300);
    expect(rooms.toStart(run(), now())).toBe(80);
    rooms.handedOver([run()], now());
    rooms.claimed(["action"]);
    expect(rooms.toStart(run(), now())).toBe(30);
    rooms.refresh([], new Map([["action", 124]]));
    expect(rooms.toStart(run(), now())).toBe(4);
  });
});
