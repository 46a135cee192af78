import { expect, it } from "vitest";
import type { Claim } from "#lib/db/queue/claim-runs.ts";
import { LaneMemory } from "./lane-memory.ts";

const lane = (actionId: string) => ({ accountId: "account", actionId, floorMs: 1_000 });
const never = () => false;
const claim = (tookMs: number, ...actionIds: string[]): Claim => ({
  runs: [],
  lanes: actionIds.map(lane),
  tookMs,
});

it("looks everywhere every time while that is cheap", () => {
  const memory = new LaneMemory();
  expect(memory.choose(0)).toBeUndefined();
  memory.learn(claim(2, "a"), true, 0, never);
  expect(memory.choose(1)).toBeUndefined();
});

it("once it is dear looks at known lanes, and everywhere again after nine times what it took", () => {
  const memory = new LaneMemory();
  memory.learn(claim(20, "a"), true, 0, never);
  memory.learn(claim(3, "b"), false, 10, never);
  expect(memory.choose(179)).toEqual([lane("a"), lane("b")]);
  expect(memory.choose(180)).toBeUndefined();
});

it("never waits longer than a second to look everywhere", () => {
  const memory = new LaneMemory();
  memory.learn(claim(5_000, "a"), true, 0, never);
  expect(memory.choose(1_000)).toBeUndefined();
});

it("forgets lanes that nothing came from for a while", () => {
  const memory = new LaneMemory();
  memory.learn(claim(20, "old"), true, 0, never);
  memory.learn(claim(20, "new"), true, 20_000, never);
  expect(memory.choose(20_001)).toEqual([lane("new")]);
});

it("keeps a lane that nothing comes from because its receiver never answers", () => {
  const memory = new LaneMemory();
  memory.learn(claim(20, "hanging", "old"), true, 0, never);
  memory.learn(claim(20, "new"), true, 20_000, (actionId) => actionId === "hanging");
  expect(memory.choose(20_001)).toEqual([lane("hanging"), lane("new")]);
});
