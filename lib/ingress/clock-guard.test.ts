import { afterEach, expect, test, vi } from "vitest";
import { ClockGuard } from "./clock-guard.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const right = { machineOffMs: 0, databaseBehindMs: 0, event: "steady", stepMs: minute } as const;

let [wallMs, elapsedMs] = [1_800_000_000_000, 0];
let isAway = false;
let reading: { -readonly [Key in keyof typeof right]: (typeof right)[Key] | number | string };

function open() {
  isAway = false;
  reading = { ...right };
  const guard = new ClockGuard({
    read: async () => {
      if (isAway) throw new Error("The database is away");
      return reading as typeof right;
    },
    now: () => wallMs,
    elapsed: () => elapsedMs,
  });
  guards.push(guard);
  return guard;
}
const guards: ClockGuard[] = [];
afterEach(() => {
  for (const guard of guards.splice(0)) guard.stop();
  vi.useRealTimers();
});

test.each([
  ["is right", {}, null],
  ["is 59 minutes behind the database's", { machineOffMs: -59 * minute }, null],
  ["is 59 minutes ahead of it", { machineOffMs: 59 * minute }, null],
  [
    "is 2 hours behind it",
    { machineOffMs: -2 * hour },
    /2 hours behind, compared with the database's/,
  ],
  ["is 2 days ahead of it", { machineOffMs: 2 * day }, /2 days ahead/],
  ["is 100 days behind it", { machineOffMs: -100 * day }, /100 days behind/],
  [
    "went back with the database's by 100 days",
    { databaseBehindMs: 100 * day },
    /100 days behind, compared with what it showed before/,
  ],
  ["went back with it by half an hour", { databaseBehindMs: hour / 2 }, null],
  ["jumped ahead with it, as after a time off", { event: "jumped", stepMs: 100 * day }, null],
])("a clock that %s", async (_name, change, refusal) => {
  const guard = open();
  reading = { ...reading, ...change };
  await guard.begin();
  if (refusal === null) expect(guard.refusal()).toBeNull();
  else expect(guard.refusal()).toMatch(refusal);
});

test("a clock is compared every minute, and requests are taken again once it is right", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const guard = open();
  await guard.begin();
  reading = { ...right, machineOffMs: -2 * hour };
  vi.advanceTimersByTime(minute);
  await guard.check();
  expect(guard.refusal()).toMatch(/2 hours behind/);
  reading = { ...right };
  vi.advanceTimersByTime(minute);
  await guard.check();
  expect(guard.refusal()).toBeNull();
});

test("a step back is seen by the next request, also while the database is away", async () => {
  const guard = open();
  await guard.begin();
  isAway = true;
  elapsedMs += minute;
  wallMs += minute - 100 * day;
  expect(guard.refusal()).toMatch(/set back/);
  await guard.check();
  expect(guard.refusal()).toMatch(/set back/);
  wallMs += 100 * day;
  expect(guard.refusal()).toBeNull();
});

test("a machine that slept for a night takes requests, and compares its clock", async () => {
  const guard = open();
  await guard.begin();
  wallMs += 8 * hour;
  reading = { ...right, machineOffMs: 8 * hour };
  expect(guard.refusal()).toBeNull();
  await guard.check();
  expect(guard.refusal()).toMatch(/8 hours ahead/);
});

test("while the database can't be asked, what was known counts", async () => {
  const guard = open();
  isAway = true;
  await guard.begin();
  expect(guard.refusal()).toBeNull();
  isAway = false;
  reading = { ...right, databaseBehindMs: 2 * hour };
  await guard.check();
  isAway = true;
  await guard.check();
  expect(guard.refusal()).toMatch(/2 hours behind/);
});
